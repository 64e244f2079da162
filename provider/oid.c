/* SPDX-License-Identifier: Apache-2.0 */
#include "oid.h"

static const char *const texts[DKEX_SETS] = {OID_128, OID_256, OID_512};

const char *oid_text(const struct dkex_params *params)
{
    return texts[params - dkex_params];
}

/*
 * The table of names belongs to the process: another library context or thread may have filled
 * it, which is not an error. Names are for the reader's eyes only, so nothing else is one either.
 */
void oid_register(const struct provider *prov)
{
    if (prov->obj_create == NULL)
        return;
    prov->set_error_mark(prov->handle);
    for (size_t i = 0; i < DKEX_SETS; i++)
        prov->obj_create(prov->handle, texts[i], dkex_params[i].name, dkex_params[i].name);
    prov->pop_error_to_mark(prov->handle);
}

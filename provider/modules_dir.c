/* SPDX-License-Identifier: Apache-2.0 */
/* Run by CMake: where this libcrypto looks for provider modules. */
#include <stdio.h>

#include <openssl/crypto.h>

int main(void)
{
    const char *dir = OPENSSL_info(OPENSSL_INFO_MODULES_DIR);

    return dir == NULL || puts(dir) == EOF;
}

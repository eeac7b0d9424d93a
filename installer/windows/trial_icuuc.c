/* For the trial under Wine only, never shipped: Windows 10 has an icuuc.dll, Wine 10 has none, and
   Qt 6.11 does not load without one. This one knows no encoding: Qt then offers its own. */
#define EXPORT __declspec(dllexport)
#define NOT_FOUND 4 /* U_FILE_ACCESS_ERROR */

EXPORT void *ucnv_open(const char *name, int *error) { (void)name; *error = NOT_FOUND; return 0; }
EXPORT const char *ucnv_getName(void *c, int *error) { (void)c; *error = NOT_FOUND; return 0; }
EXPORT const char *ucnv_getStandardName(const char *name, const char *standard, int *error)
{ (void)name; (void)standard; *error = NOT_FOUND; return 0; }
EXPORT int ucnv_countAvailable(void) { return 0; }
EXPORT const char *ucnv_getAvailableName(int n) { (void)n; return 0; }

/* Of a converter that nobody can open. */
EXPORT void ucnv_close(void *c) { (void)c; }
EXPORT void ucnv_reset(void *c) { (void)c; }
EXPORT signed char ucnv_getMaxCharSize(void *c) { (void)c; return 1; }
#define NEVER(name) EXPORT void name(void) {}
NEVER(UCNV_FROM_U_CALLBACK_SUBSTITUTE)
NEVER(UCNV_TO_U_CALLBACK_SUBSTITUTE)
NEVER(ucnv_getToUCallBack)
NEVER(ucnv_getFromUCallBack)
NEVER(ucnv_setToUCallBack)
NEVER(ucnv_setFromUCallBack)
NEVER(ucnv_cbToUWriteUChars)
NEVER(ucnv_cbFromUWriteUChars)
NEVER(ucnv_toUnicode)
NEVER(ucnv_fromUnicode)
NEVER(ucnv_toUCountPending)
NEVER(ucnv_fromUCountPending)

/* payoff.exe and payoff-console.exe: start the program in Python's own library, in this process.

   Both find everything beside themselves, in _internal: python311.dll, whose ._pth file names the
   folders of modules, and start.py. Arguments are passed on as Windows gave them, and the exit code
   is the program's. Nothing of C's own library is used: the file is small and the same each time.  */
#define UNICODE
#include <windows.h>
#include <shellapi.h>

#define LONGEST 32768
#define OPTIONS 3 /* -X utf8 start.py */

typedef int (*Main)(int, wchar_t **);

static wchar_t folder[LONGEST], path[LONGEST];

static void fail(const wchar_t *what)
{
    HANDLE error = GetStdHandle(STD_ERROR_HANDLE);
    DWORD written;
    if (error && error != INVALID_HANDLE_VALUE && GetConsoleWindow())
        WriteConsoleW(error, what, lstrlenW(what), &written, NULL);
    else
        MessageBoxW(NULL, what, L"Payoff", MB_ICONERROR);
    ExitProcess(120);
}

static wchar_t *inside(const wchar_t *name)
{
    lstrcpyW(path, folder);
    lstrcatW(path, name);
    return path;
}

void start(void)
{
    static wchar_t script[LONGEST];
    DWORD length = GetModuleFileNameW(NULL, folder, LONGEST - 64);
    int count, number, used = 0;
    wchar_t **given = CommandLineToArgvW(GetCommandLineW(), &count), **words;
    HMODULE python;
    Main run;

    while (length && folder[length - 1] != L'\\')
        length--;
    folder[length] = 0;
    lstrcatW(folder, L"_internal\\");
    lstrcpyW(script, inside(L"start.py"));
    /* Libraries of Microsoft's compiler lie there, once for all. */
    AddDllDirectory(folder);
    python = LoadLibraryExW(inside(L"python311.dll"), NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    run = python ? (Main)(void *)GetProcAddress(python, "Py_Main") : NULL;
    words = given ? LocalAlloc(LPTR, (count + OPTIONS + 1) * sizeof *words) : NULL;
    if (!run || !words)
        fail(L"Payoff is not whole: files of its folder _internal are missing. Install it again.");
    words[used++] = given[0];
    words[used++] = L"-X";
    words[used++] = L"utf8";
    words[used++] = script;
    for (number = 1; number < count; number++)
        words[used++] = given[number];
    ExitProcess((UINT)run(used, words));
}

import { library } from './library.ts'

/** Handles are `intptr`: numbers, of which 0 and -1 mean none. */
export const kernel32 = library('kernel32.dll', {
  AssignProcessToJobObject: ['int', 'intptr', 'intptr'],
  CloseHandle: ['int', 'intptr'],
  CreateDirectoryW: ['int', 'str16', 'void *'],
  CreateFileW: ['intptr', 'str16', 'uint32', 'uint32', 'void *', 'uint32', 'uint32', 'intptr'],
  CreateJobObjectW: ['intptr', 'void *', 'str16'],
  CreateProcessW: [
    'int',
    'str16',
    'void *',
    'void *',
    'void *',
    'int',
    'uint32',
    'void *',
    'str16',
    'void *',
    '_Out_ void *',
  ],
  DuplicateHandle: ['int', 'intptr', 'intptr', 'intptr', '_Out_ intptr *', 'uint32', 'int', 'uint32'],
  FormatMessageW: ['uint32', 'uint32', 'void *', 'uint32', 'uint32', '_Out_ void *', 'uint32', 'void *'],
  GetCurrentProcess: ['intptr'],
  GetExitCodeProcess: ['int', 'intptr', '_Out_ uint32 *'],
  GetLastError: ['uint32'],
  GetProcessTimes: ['int', 'intptr', '_Out_ uint64 *', '_Out_ uint64 *', '_Out_ uint64 *', '_Out_ uint64 *'],
  K32EnumProcesses: ['int', '_Out_ void *', 'uint32', '_Out_ uint32 *'],
  LocalFree: ['intptr', 'void *'],
  MoveFileExW: ['int', 'str16', 'str16', 'uint32'],
  OpenJobObjectW: ['intptr', 'uint32', 'int', 'str16'],
  OpenProcess: ['intptr', 'uint32', 'int', 'uint32'],
  QueryFullProcessImageNameW: ['int', 'intptr', 'uint32', '_Out_ void *', '_Inout_ uint32 *'],
  ResumeThread: ['uint32', 'intptr'],
  SetInformationJobObject: ['int', 'intptr', 'int', 'void *', 'uint32'],
  TerminateJobObject: ['int', 'intptr', 'uint32'],
  TerminateProcess: ['int', 'intptr', 'uint32'],
  WaitForSingleObject: ['uint32', 'intptr', 'uint32'],
})

/** Closes the handle in any case, and returns what `use` returns. */
export function withHandle<T>(handle: number, use: (handle: number) => T): T {
  try {
    return use(handle)
  } finally {
    kernel32.CloseHandle(handle)
  }
}

import { join } from 'node:path'
import { library } from './win32/library.ts'
import { checkStatus } from './win32/system-error.ts'

const shell32 = library('shell32.dll', {
  SHGetFolderPathW: ['int', 'intptr', 'int', 'intptr', 'uint32', '_Out_ void *'],
})

const commonApplicationData = 0x23
const maxPath = 260

let known: string | undefined

/**
 * Where the data folder is, without a check of its owner. Only to compare paths, to create the folder and to show its owner: whatever
 * uses its content calls `dataFolder`. Windows is asked for it, because anybody may set %ProgramData%.
 */
export function dataFolderPath(): string {
  known ??= join(programData(), 'Muster')
  return known
}

function programData(): string {
  const path = Buffer.alloc(maxPath * 2)
  checkStatus(
    'The folder for data of programs could not be found',
    shell32.SHGetFolderPathW(0, commonApplicationData, 0, 0, path),
  )
  return path.toString('utf16le').replace(/\0[\s\S]*$/, '')
}

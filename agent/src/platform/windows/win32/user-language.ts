import { library } from './library.ts'

const kernel32 = library('kernel32.dll', { GetUserDefaultUILanguage: ['uint16'] })

/** Without the country. */
const primaryLanguage = 0x3ff

/** The number of the language in which Windows speaks to the user of this process. */
export function readLanguageNumber(): number {
  return kernel32.GetUserDefaultUILanguage() & primaryLanguage
}

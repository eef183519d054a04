import koffi from '../koffi.ts'
import { library } from './library.ts'
import { check, WindowsError } from './system-error.ts'

const version = library('version.dll', {
  GetFileVersionInfoSizeW: ['uint32', 'str16', '_Out_ uint32 *'],
  GetFileVersionInfoW: ['int', 'str16', 'uint32', 'uint32', '_Out_ void *'],
  VerQueryValueW: ['int', 'void *', 'str16', '_Out_ intptr *', '_Out_ uint32 *'],
})

/** Where VS_FIXEDFILEINFO has the version: two numbers of 32 bits, each of which is two numbers. */
const [upperOffset, lowerOffset] = [8n, 12n]
const withoutVersion = [1812, 1813, 1814]
const absent = [2, 3]

/** The version in the resources of a file; undefined if there is no file, and '' if it has no version. */
export function readFileVersion(path: string): string | undefined {
  const size = version.GetFileVersionInfoSizeW(path, [0])
  if (size === 0) {
    const error = new WindowsError(`The version of ${path} could not be read`)
    if (absent.includes(error.number)) return undefined
    if (withoutVersion.includes(error.number)) return ''
    throw error
  }
  const information = Buffer.alloc(size)
  check(`The version of ${path} could not be read`, version.GetFileVersionInfoW(path, 0, size, information))
  const found = [0]
  if (version.VerQueryValueW(information, '\\', found, [0]) === 0) return ''
  const address = BigInt(found[0] ?? 0)
  const halves = [upperOffset, lowerOffset].map((offset) => koffi.decode.uint32(address + offset))
  return halves.flatMap((half) => [half >>> 16, half & 0xffff]).join('.')
}

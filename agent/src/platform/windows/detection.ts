import type { Detection } from '../detection.ts'
import { expandVariables } from './expand-variables.ts'
import { type RegistryValue, readValue, readValues } from './registry.ts'
import { readFileVersion } from './win32/file-version.ts'
import { installedProductVersion, readMsiProperties } from './win32/installer.ts'

export const detection: Detection = {
  async registryValue({ hive, key, value, view }) {
    const bits = view === '32' ? 32 : 64
    if (value === null) return readValues(hive, key, bits) && ''
    const found = readValue(hive, key, value, bits)
    return found === undefined ? undefined : toText(found)
  },
  fileVersion: async (path) => readFileVersion(path),
  msiProductVersion: async (productCode) => installedProductVersion(productCode),
  async readMsiFile(path) {
    const { ProductCode = '', ProductVersion = '' } = readMsiProperties(path, ['ProductCode', 'ProductVersion'])
    return { productCode: ProductCode, version: ProductVersion }
  },
  expandVariables,
}

function toText(value: RegistryValue): string {
  if (Buffer.isBuffer(value)) return value.toString('hex')
  return Array.isArray(value) ? value.join('\n') : String(value)
}

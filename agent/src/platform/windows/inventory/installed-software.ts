import { cleanText } from '../../common/texts.ts'
import type { RegistryValues, WindowsSources } from './sources.ts'
import { listUserIds } from './user-hives.ts'
import { byText, textOf } from './values.ts'

/** The maximum that the server accepts. */
const maxProducts = 5000

const uninstall = 'Microsoft\\Windows\\CurrentVersion\\Uninstall'

/** What is installed for everybody, by 64-bit and by 32-bit programs, and what users have installed for themselves. */
export async function collectInstalledSoftware(sources: WindowsSources) {
  const machine = [
    await sources.entries('HKLM', `SOFTWARE\\${uninstall}`, 64),
    await sources.entries('HKLM', `SOFTWARE\\${uninstall}`, 32),
  ]
  if (machine.every((entries) => entries === undefined)) return undefined
  const users = []
  for (const user of await listUserIds(sources))
    users.push(await sources.entries('HKU', `${user}\\Software\\${uninstall}`, 64))
  return { items: toInstalledSoftware([...machine, ...users].flatMap((entries) => entries ?? [])) }
}

export function toInstalledSoftware(entries: readonly RegistryValues[]) {
  const products = entries.flatMap((values) => {
    const productName = textOf(values.DisplayName)
    if (productName === null || isHidden(values)) return []
    return { productName, version: cleanVersion(values), publisher: textOf(values.Publisher) }
  })
  // Both views, and several users, may list the same product.
  const distinct = new Map(products.map((product) => [JSON.stringify(Object.values(product)), product]))
  return [...distinct]
    .toSorted(([a], [b]) => byText(a, b))
    .map(([, product]) => product)
    .slice(0, maxProducts)
}

const cleanVersion = (values: RegistryValues) => cleanText(textOf(values.DisplayVersion), 100)

/** Parts of other products and updates are not shown by Windows either. */
function isHidden(values: RegistryValues): boolean {
  if (values.SystemComponent === 1 || textOf(values.ParentKeyName) !== null) return true
  return /^(Security Update|Update|Update Rollup|Hotfix|Service Pack)$/i.test(textOf(values.ReleaseType) ?? '')
}

import { cleanText } from '../../common/texts.ts'
import type { SystemAccess } from './system-access.ts'

/** The maximum that the server accepts. */
const maxProducts = 5000

const debianFields = ['db:Status-Status', 'Package', 'Version', 'Maintainer'].map((name) => `\${${name}}`).join('\\t')

/** The packages of dpkg and rpm; undefined if neither exists. */
export async function collectInstalledSoftware(system: SystemAccess) {
  const [debian, redHat] = await Promise.all([
    system.output('dpkg-query', '-W', '-f', `${debianFields}\\n`),
    system.output('rpm', '-qa', '--queryformat', 'installed\\t%{NAME}\\t%{VERSION}-%{RELEASE}\\t%{VENDOR}\\n'),
  ])
  if (debian === undefined && redHat === undefined) return undefined
  const lines = [debian, redHat].flatMap((text) => (text ?? '').split('\n'))
  const products = lines.flatMap((line) => {
    const [status, name, version, maker] = line.split('\t')
    const productName = cleanText(name)
    if (status !== 'installed' || productName === null || productName === 'gpg-pubkey') return []
    return { productName, version: cleanText(version, 100), publisher: publisher(maker) }
  })
  // Several architectures of a package count as one product.
  const distinct = new Map(products.map((product) => [JSON.stringify(Object.values(product)), product]))
  const sorted = [...distinct].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, product]) => product)
  return { items: sorted.slice(0, maxProducts) }
}

function publisher(maker: string | undefined): string | null {
  const name = cleanText(maker?.replace(/\s*<[^>]*>/g, ''))
  return name === '(none)' ? null : name
}

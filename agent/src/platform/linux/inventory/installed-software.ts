import { cleanText } from '../../common/texts.ts'
import { collectApplications } from './applications.ts'
import { collectLanguagePackages } from './language-packages.ts'
import type { SystemAccess } from './system-access.ts'

/** The maximum that the server accepts. */
const maxProducts = 5000

const debianFields = ['db:Status-Status', 'Package', 'Version', 'Maintainer', 'source:Package', 'source:Version']
  .map((name) => `\${${name}}`)
  .join('\\t')

const redHatFields = 'installed\\t%{NAME}\\t%{VERSION}-%{RELEASE}\\t%{VENDOR}\\t%{SOURCERPM}\\t%|EPOCH?{%{EPOCH}:}|'

/** The packages of dpkg and rpm, and what other package managers have installed for all users; undefined if neither exists. */
export async function collectInstalledSoftware(system: SystemAccess) {
  const [debian, redHat, applications, packages] = await Promise.all([
    system.output('dpkg-query', '-W', '-f', `${debianFields}\\n`),
    system.output('rpm', '-qa', '--queryformat', `${redHatFields}\\n`),
    collectApplications(system),
    collectLanguagePackages(system),
  ])
  if (debian === undefined && redHat === undefined) return undefined
  const ofSystem = [...readLines(debian, debianSource), ...readLines(redHat, redHatSource)]
  const products = [...ofSystem, ...applications, ...packages]
  // Several architectures of a package count as one product.
  const distinct = new Map(products.map((product) => [JSON.stringify(Object.values(product)), product]))
  const sorted = [...distinct].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, product]) => product)
  return { items: sorted.slice(0, maxProducts) }
}

type Source = { sourceName: string; sourceVersion: string }

/** Reads what a package manager writes about each package. The last two fields say from which package it is built. */
function readLines(text: string | undefined, readSource: (first: string, second: string) => Source | undefined) {
  return (text ?? '').split('\n').flatMap((line) => {
    const [status, name, version, maker, first = '', second = ''] = line.split('\t')
    const productName = cleanText(name)
    if (status !== 'installed' || productName === null || productName === 'gpg-pubkey') return []
    const source = readSource(first, second)
    return [{ productName, version: cleanText(version, 100), publisher: publisher(maker), ...source }]
  })
}

function debianSource(name: string, version: string): Source | undefined {
  return toSource(name, version)
}

/** From `openssl-3.0.7-27.el9.src.rpm` and the epoch of the package, such as `1:`. */
function redHatSource(file: string, epoch: string): Source | undefined {
  const [, name = '', version = ''] = /^(.+)-([^-]+-[^-]+)\.(?:no)?src\.rpm$/.exec(file) ?? []
  return toSource(name, version && `${epoch}${version}`)
}

function toSource(name: string, version: string): Source | undefined {
  const [sourceName, sourceVersion] = [cleanText(name), cleanText(version, 100)]
  return sourceName === null || sourceVersion === null ? undefined : { sourceName, sourceVersion }
}

function publisher(maker: string | undefined): string | null {
  const name = cleanText(maker?.replace(/\s*<[^>]*>/g, ''))
  return name === '(none)' ? null : name
}

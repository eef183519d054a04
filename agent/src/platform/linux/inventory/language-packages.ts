import { cleanText } from '../../common/texts.ts'
import type { SystemAccess } from './system-access.ts'

type Language = 'npm' | 'pypi'
type Package = { name: string; version: string }

/** Where npm installs for everybody. A distribution has its own packages in `/usr/share`. */
const npmFolders = ['/usr/lib/node_modules', '/usr/local/lib/node_modules']

/** Where Python packages are that no package of the distribution has installed. */
const pythonFolders = ['/usr/local/lib', '/usr/local/lib64']

/** The packages of npm and PyPI that are installed for all users. Those of a single user or project are not found. */
export async function collectLanguagePackages(system: SystemAccess) {
  const [npm, python] = await Promise.all([findNpmPackages(system), findPythonPackages(system)])
  return [...npm.map((one) => toProduct(one, 'npm')), ...python.map((one) => toProduct(one, 'pypi'))].flatMap(
    (product) => product ?? [],
  )
}

function toProduct({ name, version }: Package, language: Language) {
  const [productName, cleanVersion] = [cleanText(name), cleanText(version, 100)]
  if (productName === null || cleanVersion === null) return undefined
  const publisher = language === 'npm' ? 'npm' : 'PyPI'
  const source = { sourceName: productName, sourceVersion: cleanVersion, language }
  return { productName, version: cleanVersion, publisher, ...source }
}

async function findNpmPackages(system: SystemAccess): Promise<Package[]> {
  const folders = await Promise.all(
    npmFolders.map(async (folder) => {
      const names = await system.names(folder)
      const scoped = names.filter((name) => name.startsWith('@')).map((scope) => `${folder}/${scope}`)
      const inScopes = await Promise.all(scoped.map((scope) => pathsIn(system, scope)))
      return [...names.filter((name) => !/^[@.]/.test(name)).map((name) => `${folder}/${name}`), ...inScopes.flat()]
    }),
  )
  const manifests = await Promise.all(folders.flat().map((folder) => system.text(`${folder}/package.json`)))
  return manifests.flatMap((text) => readManifest(text) ?? [])
}

const pathsIn = async (system: SystemAccess, folder: string) =>
  (await system.names(folder)).map((name) => `${folder}/${name}`)

/** What a package says about itself; undefined if it is damaged. */
function readManifest(text: string | undefined): Package | undefined {
  try {
    const { name, version }: Partial<Record<keyof Package, unknown>> = JSON.parse(text ?? '{}') ?? {}
    return typeof name === 'string' && typeof version === 'string' ? { name, version } : undefined
  } catch {
    return undefined
  }
}

async function findPythonPackages(system: SystemAccess): Promise<Package[]> {
  const versions = (await Promise.all(pythonFolders.map((folder) => pathsIn(system, folder)))).flat()
  const folders = versions
    .filter((path) => /\/python3[\d.]*$/.test(path))
    .flatMap((path) => [`${path}/dist-packages`, `${path}/site-packages`])
  const entries = (await Promise.all(folders.map((folder) => pathsIn(system, folder)))).flat()
  const described = entries.filter((path) => path.endsWith('.dist-info'))
  const texts = await Promise.all(described.map((folder) => system.text(`${folder}/METADATA`)))
  return texts.flatMap((text) => readMetadata(text ?? '') ?? [])
}

/** The headers of the description of a Python package. The text after the first empty line may say anything. */
function readMetadata(text: string): Package | undefined {
  const [headers = ''] = text.split(/\r?\n\r?\n/, 1)
  const [, name] = /^Name:[ \t]*(\S+)/im.exec(headers) ?? []
  const [, version] = /^Version:[ \t]*(\S+)/im.exec(headers) ?? []
  return name !== undefined && version !== undefined ? { name, version } : undefined
}

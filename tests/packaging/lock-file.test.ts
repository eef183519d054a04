import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const repository = join(import.meta.dirname, '../..')

type Locked = {
  resolved?: string
  integrity?: string
  link?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}
const lock = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8'))
const packages: Record<string, Locked> = lock.packages

/** Where npm looks for a package that another one needs: beside it, then in each folder above. */
const isLocked = (path: string, name: string): boolean =>
  `${path && `${path}/`}node_modules/${name}` in packages ||
  (path !== '' && isLocked(/^(.*)\/node_modules\//.exec(path)?.[1] ?? '', name))

test('every optional package of every platform is locked, without which `npm ci` refuses to install', () => {
  const wanted = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).map((name) => ({ path, name })),
  )

  expect(wanted.length).toBeGreaterThan(50)
  expect(wanted.filter(({ path, name }) => !isLocked(path, name))).toEqual([])
})

test('npm verifies every package by its hash, except those for platforms on which Muster does not run', () => {
  const runsOn = ({ os = ['linux'], cpu = ['x64'], libc = ['glibc'] }: Locked) =>
    os.includes('linux') && libc.includes('glibc') && (cpu.includes('x64') || cpu.includes('arm64'))
  const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)

  const unverified = installed.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))

  expect(installed.length).toBeGreaterThan(500)
  expect(unverified.filter(([, locked]) => !locked.optional || runsOn(locked))).toEqual([])
})

test('no registry is named, so everybody can use their own', () => {
  const named = Object.values(packages).filter(({ resolved, link }) => resolved && !link)

  expect(named).toEqual([])
})

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const repository = join(import.meta.dirname, '..')

/** All sources, as paths in the repository. What is generated is no source. */
const sources = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx', '*.mjs'], {
  cwd: repository,
  encoding: 'utf8',
})
  .split('\n')
  .filter(Boolean)

const filesBelow = (folder: string) => sources.filter((file) => file.startsWith(`${folder}/`))
const textOf = (file: string) => readFileSync(join(repository, file), 'utf8')

/** What a file imports: paths in the repository, and names of packages. */
const importsOf = (file: string) =>
  [...textOf(file).matchAll(/(?:\bfrom\s+|(?<!-)\bimport\s*\(?\s*)'([^']+)'/g)].map(([, path = '']) =>
    path.startsWith('.') ? join(dirname(file), path) : path,
  )

const sharedPackages = readdirSync(join(repository, 'packages'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `packages/${name}`)

/** Each has a package.json. `tests`, `bench` and `tools` are not programs: they put programs together. */
const programs = ['agent', 'cli', 'client', 'console', 'server', 'simulator', ...sharedPackages]

const programOf = (path: string) => programs.find((program) => path.startsWith(`${program}/`))

type Manifest = { name: string; dependencies?: Record<string, string>; devDependencies?: Record<string, string> }
const manifestOf = (program: string): Manifest => JSON.parse(textOf(`${program}/package.json`))

/** The files that a file imports through tools, which have no rules of their own. */
function reachedFrom(file: string, seen = new Set<string>()): Set<string> {
  for (const path of importsOf(file)) {
    if (seen.has(path)) continue
    seen.add(path)
    if (path.startsWith('tools/') && path.endsWith('.ts')) reachedFrom(path, seen)
  }
  return seen
}

describe('programs', () => {
  test('imports are found', () => {
    expect(programs.flatMap(filesBelow).flatMap(importsOf).length).toBeGreaterThan(10_000)
  })

  test.each(programs)('%s imports no file of another program, nor through tools', (program) => {
    const isOutside = (path: string) =>
      /^(tests|bench)\//.test(path) || (programOf(path) !== undefined && programOf(path) !== program)
    const crossings = filesBelow(program).flatMap((file) =>
      [...reachedFrom(file)].filter(isOutside).map((path) => `${file} → ${path}`),
    )

    expect(crossings).toEqual([])
  })

  test('a program that imports a package of ours declares it, and there is no such package of a program', () => {
    const names = new Set(['client', ...sharedPackages].map((folder) => manifestOf(folder).name))
    const undeclared = programs.flatMap((program) => {
      const { name, dependencies, devDependencies } = manifestOf(program)
      const declared = Object.keys({ ...dependencies, ...devDependencies })
      return filesBelow(program)
        .flatMap((file) => importsOf(file).map((path) => ({ file, path })))
        .flatMap(({ file, path }) => {
          const [used] = /^@muster\/[\w-]+/.exec(path) ?? []
          const isAllowed = used === undefined || used === name || (declared.includes(used) && names.has(used))
          return isAllowed ? [] : [`${file} → ${path}`]
        })
    })

    expect(names.size).toBeGreaterThan(5)
    expect(undeclared).toEqual([])
  })

  test.each(sharedPackages)('%s needs nothing but Node and the packages that it declares', (folder) => {
    const declared = Object.keys(manifestOf(folder).dependencies ?? {})
    const foreign = filesBelow(`${folder}/src`)
      .flatMap(importsOf)
      .filter((path) => !path.startsWith('node:') && !path.startsWith(`${folder}/src/`))
      .filter((path) => !declared.some((name) => path === name || path.startsWith(`${name}/`)))

    expect(foreign).toEqual([])
  })

  test.each(['text', 'http'])('the package %s needs nothing but Node, because it is part of the agent', (name) => {
    expect(textOf(`packages/${name}/package.json`)).not.toContain('ependencies')
  })

  test('requests with node:http are sent by the package for it, which knows what a server can do instead of answering', () => {
    const isSender = (file: string) => /import \{[^}]*\b(get|request)\b[^}]*\} from 'node:https?'/.test(textOf(file))
    const senders = [...programs, 'tools']
      .flatMap(filesBelow)
      .filter((file) => !file.includes('/test/'))
      .filter(isSender)

    // The check of the container loads nothing else.
    expect(senders).toEqual(['packages/http/src/send-http-request.ts', 'tools/package/container/health-check.ts'])
  })

  test('the agent needs nothing but Node, the packages about texts, requests and messages, and koffi for calls of Windows', () => {
    const foreign = filesBelow('agent/src')
      .flatMap((file) => importsOf(file).map((path) => `${file} → ${path}`))
      .filter((line) => !/ → (agent\/|node:|@muster\/(text|http|agent-protocol))/.test(line))

    expect(foreign).toEqual(['agent/src/platform/windows/koffi.ts → koffi'])
  })

  test('only the platform layer of the agent knows an operating system, and its parts do not know each other', () => {
    const files = filesBelow('agent/src')
    const isPlatform = (file: string) => file.startsWith('agent/src/platform/')
    const outside = files.filter((file) => !isPlatform(file) && file !== 'agent/src/usage.ts')
    const systemPathOrTool = /\/(proc|sys|etc|run|bin)\/|\b(apt|systemctl|loginctl|koffi)\b/
    const crossings = files
      .flatMap((from) => importsOf(from).map((to) => ({ from, to })))
      .filter(({ to }) => /^agent\/src\/platform\/(linux|windows)\//.test(to))
      .filter(({ from, to }) => from.split('/')[3] !== to.split('/')[3])
    const choice = 'agent/src/platform/choose.ts'

    expect(outside.filter((file) => systemPathOrTool.test(textOf(file)))).toEqual([])
    expect(outside.filter((file) => textOf(file).includes("'node:child_process'"))).toEqual([
      'agent/src/update/stage-update.ts',
    ])
    expect(files.filter((file) => textOf(file).includes('process.platform'))).toEqual([choice])
    expect(new Set(crossings.map(({ from }) => from))).toEqual(new Set([choice]))
  })
})

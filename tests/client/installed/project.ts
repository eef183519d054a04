import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildClientPackage } from '../../../client/tools/build.ts'
import { run } from '../../../tools/package/run.ts'

const root = join(import.meta.dirname, '../../..')

/** Installs the package of the client in an empty project. Nothing is asked of a registry: what the package requires is here. */
export async function installClient(folder: string): Promise<void> {
  const archives = join(folder, 'archives')
  const project = join(folder, 'project')
  for (const one of [archives, project]) await mkdir(one)
  const client = await buildClientPackage(archives)
  const required = await packInstalled(await listRequired('client'), archives)
  await writeFile(join(project, 'package.json'), '{ "name": "somebody-else", "private": true, "type": "module" }\n')
  const offline = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund']
  await run('npm', ['install', ...offline, client, ...required], { cwd: project })
  await cp(join(import.meta.dirname, 'program.ts'), join(project, 'program.ts'))
}

/** Compiles the program as strictly as the compiler can, including the types of the packages. */
export async function compileProgram(project: string, types: 'browser' | 'node'): Promise<void> {
  const compilerOptions = {
    ...{ target: 'es2022', module: 'nodenext', strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false },
    ...(types === 'browser'
      ? { lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'], types: [] }
      : { lib: ['es2022'], types: ['node'], typeRoots: [join(root, 'node_modules/@types')] }),
  }
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  await run(process.execPath, [compiler, '-p', '.'], { cwd: project }).catch((error: { stdout?: string }) => {
    throw new Error(`The program does not compile.\n${error.stdout}`)
  })
}

type Manifest = { dependencies?: Record<string, string> }

/** The packages that a workspace requires, and those that they require. */
async function listRequired(workspace: string): Promise<string[]> {
  const found = new Set<string>()
  const waiting = [join(root, workspace)]
  for (const folder of waiting) {
    const { dependencies = {} } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest
    for (const name of Object.keys(dependencies)) {
      if (found.has(name)) continue
      found.add(name)
      waiting.push(join(root, 'node_modules', name))
    }
  }
  return [...found]
}

/** Archives as npm makes them, but of all packages in a second. */
function packInstalled(names: readonly string[], target: string): Promise<string[]> {
  return Promise.all(
    names.map(async (name, index) => {
      const archive = join(target, `required-${index}.tgz`)
      await run('tar', ['-czf', archive, '--transform', 's,^\\.,package,', '-C', join(root, 'node_modules', name), '.'])
      return archive
    }),
  )
}

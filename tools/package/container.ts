import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readContainerBases } from './container-bases.ts'
import type { BuildPackages } from './product.ts'
import { run } from './run.ts'
import { readServiceVersion } from './service-installation.ts'

const repository = join(import.meta.dirname, '../..')
const containerfile = 'tools/package/container/Containerfile'

/** Builds the container image of the service with the first of these programs that is installed, and saves it as a file. */
export const packageContainer: BuildPackages = async (folder) => {
  const bases = (await readContainerBases()).flatMap((argument) => ['--build-arg', argument])
  const builder = await findBuilder(['podman', 'docker'])
  const version = await readServiceVersion()
  const names = [`localhost/muster:${version}`, 'localhost/muster:latest']
  const file = join(folder, `muster-container_${version}_${process.arch}.tar`)
  const tags = names.flatMap((name) => ['--tag', name])
  // Podman's own format has no health check.
  const format = builder === 'podman' ? ['--format', 'docker'] : []
  await run(builder, ['build', ...format, ...bases, ...extraOptions(), ...tags, '--file', containerfile, '.'], {
    cwd: repository,
    maxBuffer: Number.POSITIVE_INFINITY,
  })
  await rm(file, { force: true })
  await run(builder, ['save', '--output', file, ...names])
  return [file]
}

/** Further options of the builder, such as `--network host`, separated by spaces. */
function extraOptions(): string[] {
  return (process.env.MUSTER_BUILD_OPTIONS ?? '').split(' ').filter((option) => option !== '')
}

async function findBuilder(candidates: readonly string[]): Promise<string> {
  for (const name of candidates) {
    const isInstalled = await run(name, ['--version']).then(
      () => true,
      () => false,
    )
    if (isInstalled) return name
  }
  throw new Error(`A container image is built by ${candidates.join(' or ')}, and neither is installed.`)
}

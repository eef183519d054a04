import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '../database/embedded-postgres/muster.ts'

const tools = ['apt-get', 'apt-cache', 'apt-config', 'dpkg', 'dpkg-deb', 'dpkg-query']

/** The tools for Debian packages that this machine lacks. */
export const missingTools = tools.filter((tool) => spawnSync(tool, ['--version']).error)

/** Part of the names of tests: a test report shows why they did not run. */
export const aptLabel =
  missingTools.length === 0 ? 'with apt' : `with apt: NOT RUN, this machine has no ${missingTools.join(', ')}`

export type DebianPackage = {
  name: string
  version: string
  depends?: string
  conflicts?: string
  /** Maintainer scripts by their names. */
  scripts?: Partial<Record<'preinst' | 'postinst', string>>
}

export type Repository = Awaited<ReturnType<typeof openRepository>>

type RepositoryOptions = {
  /** A folder that the caller removes, for a repository that several tests share. */
  folder?: string
  /** Makes the content of InRelease. */
  sign?: (release: string) => string
}

/** An apt repository in a folder. */
export async function openRepository(options: RepositoryOptions = {}) {
  const { sign, folder = await temporaryFolder(0o755) } = options
  const architecture = execFileSync('dpkg', ['--print-architecture'], { encoding: 'utf8' }).trim()

  /** Builds a package without offering it. */
  async function build({ name, version, depends, conflicts, scripts = {} }: DebianPackage): Promise<string> {
    const tree = join(folder, 'build', `${name}-${version}`)
    await mkdir(join(tree, 'DEBIAN'), { recursive: true })
    await mkdir(join(tree, 'usr/share', name), { recursive: true })
    await writeFile(join(tree, 'usr/share', name, 'version'), `${version}\n`)
    const control = [
      `Package: ${name}`,
      `Version: ${version}`,
      'Architecture: all',
      'Maintainer: Nobody <nobody@example.org>',
      ...(depends ? [`Depends: ${depends}`] : []),
      ...(conflicts ? [`Conflicts: ${conflicts}`] : []),
      'Description: built by a test',
    ]
    await writeFile(join(tree, 'DEBIAN/control'), `${control.join('\n')}\n`)
    for (const [script, text] of Object.entries(scripts))
      await writeFile(join(tree, 'DEBIAN', script), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
    await mkdir(join(folder, 'pool'), { recursive: true })
    const file = join(folder, 'pool', `${name}_${version}_all.deb`)
    execFileSync('dpkg-deb', ['-Zgzip', '-z1', '--build', tree, file])
    return file
  }

  return {
    folder,
    architecture,
    build,
    /** Builds packages and offers only these in the suite. `fields` are further lines of its Release file. */
    async offer(suite: string, packages: readonly DebianPackage[], fields: readonly string[] = []): Promise<void> {
      const stanzas = []
      for (const one of packages) stanzas.push(await stanzaOf(await build(one)))
      const index = stanzas.join('\n')
      const path = `main/binary-${architecture}/Packages`
      await mkdir(join(folder, 'dists', suite, `main/binary-${architecture}`), { recursive: true })
      await writeFile(join(folder, 'dists', suite, path), index)
      const release = [
        `Suite: ${suite}`,
        ...fields,
        `Date: ${new Date().toUTCString()}`,
        `Architectures: ${architecture}`,
        'Components: main',
        `SHA256:\n ${sha256(index)} ${Buffer.byteLength(index)} ${path}`,
      ]
      const text = `${release.join('\n')}\n`
      await writeFile(join(folder, 'dists', suite, 'Release'), text)
      if (sign) await writeFile(join(folder, 'dists', suite, 'InRelease'), sign(text))
    },
  }
}

async function stanzaOf(file: string): Promise<string> {
  const control = execFileSync('dpkg-deb', ['-f', file], { encoding: 'utf8' })
  const [{ size }, content] = [await stat(file), await readFile(file)]
  return `${control}Filename: pool/${file.split('/').at(-1)}\nSize: ${size}\nSHA256: ${sha256(content)}\n`
}

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

const folders = [
  'root/var/lib/dpkg/info',
  'root/var/lib/dpkg/updates',
  'etc/apt.conf.d',
  'etc/preferences.d',
  'etc/trusted.gpg.d',
  'state/lists/partial',
  'cache/archives/partial',
  'log',
]

/** A separate installation for one computer: apt and dpkg neither read nor change the machine. */
export async function openInstallation({ folder: repository, architecture, build }: Repository, suites: string[]) {
  const folder = await temporaryFolder(0o755)
  const at = (path: string) => join(folder, path)
  for (const path of folders) await mkdir(at(path), { recursive: true })
  await writeFile(at('root/var/lib/dpkg/status'), '')
  const sources = suites.map((suite) => `deb [trusted=yes] file:${repository} ${suite} main\n`)
  await writeFile(at('etc/sources.list'), sources.join(''))
  const dpkgOptions = [
    `--root=${at('root')}`,
    `--log=${at('log/dpkg.log')}`,
    '--force-not-root',
    '--force-bad-path',
    '--force-script-chrootless',
  ]
  const settings = [
    `Dir "${folder}";`,
    'Dir::Etc "etc"; Dir::State "state"; Dir::Cache "cache"; Dir::Log "log";',
    `Dir::State::status "${at('root/var/lib/dpkg/status')}";`,
    `DPkg::Options { ${dpkgOptions.map((option) => `"${option}";`).join(' ')} };`,
    `APT::Architecture "${architecture}"; APT::Architectures { "${architecture}"; };`,
    'APT::Sandbox::User "";',
  ]
  await writeFile(at('apt.conf'), `${settings.join('\n')}\n`)
  return {
    /** Makes apt, and therefore the agent and its packages, use this installation. */
    environment: {
      APT_CONFIG: at('apt.conf'),
      DPKG_ADMINDIR: at('root/var/lib/dpkg'),
      MUSTER_REBOOT_SIGN: at('reboot-required'),
    },
    folder,
    rebootSign: at('reboot-required'),
    /** Where dpkg records what is installed. */
    database: at('root/var/lib/dpkg'),
    async install(...packages: DebianPackage[]): Promise<void> {
      const files = []
      for (const one of packages) files.push(await build(one))
      execFileSync('dpkg', [...dpkgOptions, '-i', ...files], { stdio: 'pipe' })
    },
    /** The installed versions by package name. */
    installed(): Record<string, string> {
      const format = ['Package', 'Version'].map((name) => `\${${name}}`).join(' ')
      const admin = `--admindir=${at('root/var/lib/dpkg')}`
      const text = execFileSync('dpkg-query', [admin, '-W', '-f', `${format}\n`], { encoding: 'utf8' })
      return Object.fromEntries(text.split('\n').flatMap((line) => (line ? [line.split(' ')] : [])))
    },
  }
}

export type Installation = Awaited<ReturnType<typeof openInstallation>>

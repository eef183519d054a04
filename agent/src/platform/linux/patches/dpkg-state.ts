import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { aptBusy, keepFiles } from '../repositories/apt.ts'
import { reasonOf, requireRead, runWhenFree } from '../repositories/tools.ts'

export type DpkgPackage = { state: string; name: string; architecture: string; version: string }

/** All packages that dpkg knows, in the installation that apt uses. */
export async function listDpkgPackages(): Promise<DpkgPackage[]> {
  const fields = ['db:Status-Status', 'Package', 'Architecture', 'Version'].map((name) => `\${${name}}`).join('\\t')
  const text = await requireRead('dpkg-query', [`--admindir=${await adminFolder()}`, '-W', '-f', `${fields}\\n`])
  return text.split('\n').flatMap((line) => {
    const [state, name, architecture, version] = line.split('\t')
    return state && name && architecture ? [{ state, name, architecture, version: version ?? '' }] : []
  })
}

async function adminFolder(): Promise<string> {
  const text = await requireRead('apt-config', ['shell', 'status', 'Dir::State::status/f'])
  return dirname(/^status='(.*)'$/m.exec(text)?.[1] ?? '/var/lib/dpkg/status')
}

const finished = ['installed', 'config-files', 'not-installed']

/** Packages that an interrupted or failed installation has left behind, and whether dpkg itself was interrupted. */
async function findUnfinished(): Promise<{ packages: DpkgPackage[]; isInterrupted: boolean }> {
  const packages = (await listDpkgPackages()).filter(({ state }) => !finished.includes(state))
  const journal = await readdir(join(await adminFolder(), 'updates')).catch(() => [])
  return { packages, isInterrupted: journal.some((name) => /^\d+$/.test(name)) }
}

/**
 * Finishes what an interrupted installation has left, as `dpkg --configure -a` does: apt refuses any work before that. Says what
 * could not be finished, which does not stop the patches of other packages.
 */
export async function repairDpkg(onProgress: (line: string) => void): Promise<void> {
  const before = await findUnfinished()
  if (before.packages.length === 0 && !before.isInterrupted) return
  const names = before.packages.map(describe).join(', ')
  onProgress(`An earlier installation was interrupted${names && `: ${names}`}. Finishing it with dpkg.`)
  const options = await requireRead('apt-config', ['dump', '--format', '%v%n', 'DPkg::Options'])
  const own = options.split('\n').filter((option) => option.startsWith('-'))
  const confirmed = keepFiles.filter((word) => word !== '-o').map((word) => word.replace(/^.*::=/, ''))
  const end = await runWhenFree(aptBusy, 'dpkg', [...own, ...confirmed, '--configure', '-a'])
  const after = await findUnfinished()
  const left = after.packages.map(describe)
  if (left.length === 0 && !after.isInterrupted) onProgress('The earlier installation is finished.')
  else onProgress(`NOT repaired: ${left.slice(0, 20).join(', ') || 'dpkg'} (${reasonOf(end)})`)
}

const describe = ({ name, state }: DpkgPackage) => `${name} is ${state}`

import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { release } from 'node:os'
import type { System } from '../repositories/family.ts'
import { compareRpmVersions } from '../repositories/rpm-versions.ts'
import { inRoot } from '../repositories/system-root.ts'
import { findTool, readTool } from '../repositories/tools.ts'

/** What runs since the computer started, and goes on as it was: needs-restarting asks for a restart after these, too. */
const runsSinceStart =
  /^(kernel|kernel-(core|rt|rt-core|PAE|default|azure|64k|64k-core|uek)|linux-image-.+|linux-firmware|glibc|libc6|systemd|udev|dbus|dbus-(broker|daemon)|microcode_ctl|ucode-(amd|intel)|(amd64|intel)-microcode)$/

/** Whether a new version of a package takes effect only after a restart of the computer. */
export const mayNeedRestart = (name: string) => runsSinceStart.test(name)

const limits = { timeout: 60_000, maxBuffer: 4 * 1024 * 1024 }

/**
 * Why the computer needs a restart; undefined if it does not. MUSTER_REBOOT_SIGN names a file that decides alone, for systems that
 * are not the running one.
 */
export async function findRestartReason({ family, isSuse }: System): Promise<string | undefined> {
  const ownSign = process.env.MUSTER_REBOOT_SIGN
  const sign = ownSign || '/run/reboot-required'
  if (existsSync(sign)) return sign
  if (ownSign) return undefined
  const asked = family === 'deb' ? await askNeedrestart() : isSuse ? await askZypper() : await askNeedsRestarting()
  return asked ?? (await findNewerKernel())
}

/** Undefined if the tool is absent or does not ask for a restart. A tool that fails decides nothing. */
async function ask(tool: string, args: readonly string[], isNeeded: (code: number, output: string) => boolean) {
  if (!findTool(tool)) return undefined
  const end = await readTool(tool, args, limits).catch(() => undefined)
  return end && isNeeded(end.code, end.output) ? `${tool} asks for it` : undefined
}

/** It prints 3 if a newer kernel is installed than the one that runs. */
const askNeedrestart = () => ask('needrestart', ['-b', '-k'], (_, output) => /^NEEDRESTART-KSTA: 3$/m.test(output))

const askZypper = () => ask('zypper', ['--non-interactive', 'needs-rebooting'], (code) => code === 102)

/** dnf also ends with 1 if it does not have the command, so its text decides as well. */
async function askNeedsRestarting(): Promise<string | undefined> {
  const isNeeded = (code: number, output: string) => code === 1 && /reboot is required/i.test(output)
  return (await ask('needs-restarting', ['-r'], isNeeded)) ?? ask('dnf', ['-q', 'needs-restarting', '-r'], isNeeded)
}

/** By the folders of modules, which all distributions have. In a container, the running kernel has none. */
async function findNewerKernel(): Promise<string | undefined> {
  const folders = await readdir(inRoot('/lib/modules')).catch(() => [])
  const newer = newerKernel(release(), folders)
  return newer && `the kernel ${newer} is installed, and ${release()} runs`
}

/** The newest kernel of the same kind (`-amd64`, `-cloud-amd64`, `+rt`) that is newer than the running one. */
export function newerKernel(running: string, installed: readonly string[]): string | undefined {
  if (!installed.includes(running)) return undefined
  const kindOf = (name: string) => /[-+][A-Za-z][\w-]*$/.exec(name)?.[0] ?? ''
  return installed
    .filter(
      (name) =>
        kindOf(name) === kindOf(running) &&
        compareRpmVersions(name.replaceAll('-', '.'), running.replaceAll('-', '.')) > 0,
    )
    .toSorted((one, other) => compareRpmVersions(one.replaceAll('-', '.'), other.replaceAll('-', '.')))
    .at(-1)
}

import { looksLikePublicKey } from '@muster/signing'
import { manifestName, type PackageManifest, trustedKeysSetting } from './manifest.ts'
import { PackageFault } from './package-fault.ts'
import { formatPath } from './paths.ts'

/** Agents ignore a list of keys that they cannot parse, and would then run packages without a signature. */
export function requireValidKeys(manifest: PackageManifest): void {
  const setting = manifest.kind === 'agentTemplate' ? manifest.settings[trustedKeysSetting] : undefined
  if (setting === undefined) return
  const lines = String(setting)
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(untrusted comment:|muster-trusted-keys \d{1,9}$)/.test(line))
  const invalid = lines.find((line) => !looksLikePublicKey(line))
  if (invalid === undefined && lines.length > 0) return
  throw new PackageFault(
    `${manifestName}: 'settings.${trustedKeysSetting}' must contain public keys of minisign, one per line` +
      `${invalid === undefined ? '' : `, not ${formatPath(invalid)}`}.`,
  )
}

import { findCommandFault, manifestSchemas, type PackageManifest, pathFault } from '@muster/package-format'
import { findFault } from '@muster/schema'
import type { SoftwareManifest } from '../../src/index.ts'

/** Throws unless the import would accept the manifest. */
export function requireValidManifest(manifest: SoftwareManifest): void {
  // The validation adds defaults.
  const content = structuredClone(manifest) as PackageManifest
  const fault = findFault(manifestSchemas.software, content, 'json')
  if (fault) throw new Error(`${fault.name} ${fault.reason}: ${JSON.stringify(manifest)}`)
  const command = findCommandFault(content as SoftwareManifest)
  if (command) throw new Error(`${command.property} ${command.predicate}: ${JSON.stringify(manifest)}`)
  const file = manifest.msi && pathFault(manifest.msi.file)
  if (file) throw new Error(`msi.file ${file}`)
}

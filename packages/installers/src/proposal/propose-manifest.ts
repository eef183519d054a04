import type { InstallerFacts } from '../facts.ts'
import { proposeForArchive } from './archives.ts'
import { proposeForExe } from './exe.ts'
import { proposeForAppImage, proposeForDeb, proposeForRpm, proposeForScript } from './linux.ts'
import { toSafeFileName } from './names.ts'
import { notesAbout } from './notes.ts'
import { line, type Proposal, type ProposedManifest, toManifest } from './proposal.ts'
import { proposeForMsi, proposeForMsix } from './windows.ts'

/**
 * Proposes the manifest of a package for an installer. The manifest is always valid; a person corrects and confirms it. Each line
 * says how sure it is, and why.
 */
export function proposeManifest(facts: InstallerFacts): ProposedManifest {
  const fileName = toSafeFileName(facts)
  const { lines, requirements, warnings } = propose(facts, fileName)
  const all = [...lines, line('kind', 'software', 'certain', 'Installers contain software')]
  return { fileName, manifest: toManifest(all), lines: all, requirements, warnings, notes: notesAbout(facts) }
}

function propose(facts: InstallerFacts, fileName: string): Proposal {
  switch (facts.format) {
    case 'msi':
      return proposeForMsi(facts, fileName)
    case 'exe':
      return proposeForExe(facts, fileName)
    case 'msix':
      return proposeForMsix(facts, fileName)
    case 'deb':
      return proposeForDeb(facts, fileName)
    case 'rpm':
      return proposeForRpm(facts, fileName)
    case 'zip':
    case 'tar':
      return proposeForArchive(facts, fileName)
    case 'script':
      return proposeForScript(facts, fileName)
    case 'appimage':
      return proposeForAppImage(facts, fileName)
  }
}

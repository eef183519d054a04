import type { Platform } from '../platform/platform.ts'
import type { SectionBody } from '../protocol.ts'
import { canonicalHash } from './canonical-hash.ts'

export type Section = { hash: string; body: SectionBody }

/**
 * Collects the inventory of this computer by section. Sections that cannot be determined are omitted, so the server
 * keeps what it has. A failing section does not affect the others.
 */
export async function collectSections(
  collectors: ReturnType<Platform['inventory']>,
  onFailure: (section: string, error: unknown) => void,
): Promise<Record<string, Section>> {
  const sections: Record<string, Section> = {}
  // Sequential: nobody waits for the inventory, and the user of the computer has priority.
  for (const [name, collect] of Object.entries(collectors)) {
    const found = await collect().catch((error: unknown) => onFailure(name, error))
    if (!found) continue
    const { hashed, ...body } = found
    sections[name] = { hash: canonicalHash(hashed ?? body), body }
  }
  return sections
}

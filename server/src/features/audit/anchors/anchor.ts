import type { AnchorKey } from './anchor-key.ts'

/** The end of a chain: how many entries it has, and the hash of the last one as hexadecimal digits. */
export type ChainHead = { chain: number; position: number; hash: string }

/** What an anchor states: how the audit trail ended at one moment. */
export type Anchor = {
  installation: string
  takenAt: string
  heads: ChainHead[]
  /** Hash of the anchor before it; null for the first one of an installation. */
  previous: string | null
}

export type SignedAnchor = Anchor & { signature: string }

/** The text that is signed. The order of the properties is part of it. */
export function anchorText({ installation, takenAt, heads, previous }: Anchor): string {
  return JSON.stringify({
    installation,
    takenAt,
    heads: heads.map(({ chain, position, hash }) => ({ chain, position, hash })),
    previous,
  })
}

/** One line of an anchor file. */
export function toAnchorDocument(anchor: Anchor, key: AnchorKey): string {
  const text = anchorText(anchor)
  return JSON.stringify({ ...JSON.parse(text), signature: key.sign(text) })
}

/** Undefined if the text is not an anchor. */
export function parseAnchor(document: string): SignedAnchor | undefined {
  try {
    const anchor = JSON.parse(document) as SignedAnchor
    const isAnchor =
      [anchor.installation, anchor.takenAt, anchor.signature].every((value) => typeof value === 'string') &&
      anchor.heads.every(({ chain, position, hash }) => Number.isInteger(chain + position) && /^[0-9a-f]*$/.test(hash))
    return isAnchor ? anchor : undefined
  } catch {
    return undefined
  }
}

import type { PatchType } from '../patch-types.ts'

/** What a document tells about a patch. What it leaves out, another document may tell. */
export type PatchDetails = {
  name?: string
  qNumber?: string
  bulletinId?: string
  bulletinTitle?: string
  vendorInformationPage?: string
  vendorSeverity?: string
  patchType?: PatchType
  isServicePack?: boolean
  servicePack?: string
  releaseDate?: string
  updateDate?: string
  bulletinReviseDate?: string
  cvssScore?: number
  vrrScore?: number
  uninstallable?: boolean
  sizeBytes?: number
  cves?: string[]
}

export type DocumentProduct = { name: string; vendor?: string; linkItems: number }

export type DocumentPatch = { key: string; details: PatchDetails; products: DocumentProduct[] }

/** An advisory or a catalog, as far as it is about patches. */
export type PatchDocument = {
  format: 'Csaf' | 'Muster'
  /** Who publishes it and under which id, in lower case. */
  key: string
  revisedAt: Date
  /** Of the catalog, if the document is a whole one. */
  version?: string
  patches: DocumentPatch[]
}

/** Why a document is refused, as a sentence about it. */
export class DocumentFault extends Error {
  override name = 'DocumentFault'
}

/** A text that the database can keep, of this length at most. */
export function toStorableText(text: string, maxLength: number): string {
  return text.replaceAll('\0', '').trim().slice(0, maxLength).toWellFormed()
}

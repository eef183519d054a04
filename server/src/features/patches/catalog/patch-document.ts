import type { PatchType } from '../patch-types.ts'

/** The details of a patch in one document. Another document may have the details that this one leaves out. */
export type PatchDetails = {
  name?: string
  /** The key as the document spells it, if it has no name: people see it instead of the spelling of a scan. */
  key?: string
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
  /** Whether a vulnerability that it fixes is exploited. */
  exploited?: boolean
}

export type DocumentProduct = { name: string; vendor?: string; linkItems: number }

/** A file of a patch, for one of its products or for all. */
export type DocumentFile = { url: string; name: string; sha256: string; product?: string }

/** The details of a patch that depend on which vulnerabilities it fixes. */
export type FixDetails = Pick<PatchDetails, 'cves' | 'cvssScore' | 'vendorSeverity' | 'exploited'>

/** A version that fixes vulnerabilities, and the packages of distributions that have this version. */
export type FixedVersion = {
  versionKey: string
  /** Whether later versions fix the vulnerabilities as well. */
  includesLater: boolean
  components: string[]
  /** If the packages have not all vulnerabilities of the patch: the details of those they have. */
  details?: FixDetails
}

export type DocumentPatch = {
  key: string
  /** The namespace of the publisher, if the key identifies the patch only among those of this publisher. */
  publisher?: string
  details: PatchDetails
  products: DocumentProduct[]
  fixes?: FixedVersion[]
  files: DocumentFile[]
}

/** The patches of an advisory or a catalog. */
export type PatchDocument = {
  format: 'Csaf' | 'Muster'
  /** Identifies the document across its revisions, in lower case. */
  key: string
  revisedAt: Date
  /** The version of a catalog; advisories have none. */
  version?: string
  patches: DocumentPatch[]
}

/** Why a document is refused. The message continues a sentence that starts with the name of the file. */
export class DocumentFault extends Error {
  override name = 'DocumentFault'
}

/** Removes what PostgreSQL cannot store in a text, and shortens the text. */
export function toStorableText(text: string, maxLength: number): string {
  return text.replaceAll('\0', '').trim().slice(0, maxLength).toWellFormed()
}

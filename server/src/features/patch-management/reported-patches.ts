import { sql } from 'kysely'
import { type ReportedComponent, summariseComponent } from '../patches/components/component-keys.ts'
import type { PatchType } from '../patches/patch-types.ts'

/** A patch that a scan reported as installed or missing. */
export type ReportedPatch = {
  key: string
  product: string
  status: 'Missing' | 'Installed'
  installedAt?: Date | null
  /** The lock because of which a missing patch is not installed. */
  lockedBy?: string | null
  restartSuggested?: boolean | null
  /** The following details are stored only if neither the catalog nor an earlier scan has the patch. */
  name?: string | null
  qNumber?: string | null
  bulletinId?: string | null
  title?: string | null
  url?: string | null
  severity?: string | null
  type?: PatchType | null
  releaseDate?: string | null
  sizeBytes?: number | null
  cves?: readonly string[] | null
  /** The package of a distribution that the patch installs. Advisories about it describe the patch. */
  component?: ReportedComponent | null
}

/** The patches of a scan as JSON, for `reportedPatches`. */
export function formatReportedPatches(patches: readonly ReportedPatch[]): string {
  return JSON.stringify(
    patches.map(({ component, cves, ...patch }, position) => ({
      ...patch,
      position,
      cves: cves ?? [],
      ...summariseComponent(patch.key, patch.product, component),
    })),
  )
}

/** A `from` item with the alias `reported`: the patches of a scan, from JSON. */
export const reportedPatches = (patches: string) => sql<ReportedPatch>`
  jsonb_to_recordset(${patches}::jsonb) as reported (position integer, key text, product text, status text,
    "installedAt" timestamptz, "lockedBy" text, "restartSuggested" boolean, name text, "qNumber" text, "bulletinId" text, title text, url text, severity text,
    type text, "releaseDate" date, "sizeBytes" bigint, cves jsonb, package text, "isReported" boolean,
    "replacedKey" text)`

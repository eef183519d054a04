import { dePackageRelations } from './de-package-relations.ts'
import { enPackageRelations } from './en-package-relations.ts'
import { usePageTexts } from './texts.tsx'

export type PackageRelationTexts = typeof enPackageRelations

export function usePackageRelationTexts(): PackageRelationTexts {
  return usePageTexts({ en: enPackageRelations, de: dePackageRelations })
}

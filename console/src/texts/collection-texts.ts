import { deCollections } from './de-collections.ts'
import { enCollections } from './en-collections.ts'
import { usePageTexts } from './texts.tsx'

export function useCollectionTexts(): typeof enCollections {
  return usePageTexts({ en: enCollections, de: deCollections })
}

import { deRepositoryPackages } from './de-repository-packages.ts'
import { enRepositoryPackages } from './en-repository-packages.ts'
import { usePageTexts } from './texts.tsx'

export function useRepositoryPackageTexts(): typeof enRepositoryPackages {
  return usePageTexts({ en: enRepositoryPackages, de: deRepositoryPackages })
}

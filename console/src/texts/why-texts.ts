import { deComputerWhy } from './de-computer-why.ts'
import { enComputerWhy } from './en-computer-why.ts'
import { usePageTexts } from './texts.tsx'

export function useWhyTexts(): typeof enComputerWhy {
  return usePageTexts({ en: enComputerWhy, de: deComputerWhy })
}

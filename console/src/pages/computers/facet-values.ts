import { textFor, useTexts } from '../../texts/texts.tsx'
import type { FilterName } from './list-address.ts'

/** What people call a value of a filter. */
export function useValueName() {
  const { computers: texts } = useTexts()
  return (name: FilterName, value: string | null): string => {
    if (value === null || value === '') return texts.unknown
    const names: Partial<Record<FilterName, Record<string, string>>> = texts.values
    return textFor(names[name] ?? {}, value) ?? value
  }
}

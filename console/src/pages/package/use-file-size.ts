import { useTranslation } from '../../texts/texts.tsx'

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Formats sizes of files in the largest unit that leaves at least 1. */
export function useFileSize(): (bytes: number) => string {
  const { language } = useTranslation()
  return (bytes) => {
    const power = bytes < 1_000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
    const unit = units[power] ?? 'byte'
    return new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: 1 }).format(
      bytes / 1_000 ** power,
    )
  }
}

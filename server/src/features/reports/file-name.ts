import { fileTypes, type ReportFormat } from './documents/document.ts'

/** A name for the document that every system takes, and that begins no other header. */
export function fileNameOf({ name, format }: { name: string; format: ReportFormat }): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[.-]+|[.-]+$/g, '')
    .slice(0, 80)
  return `${plain || 'report'}.${fileTypes[format].extension}`
}

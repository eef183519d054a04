import type { OtlpExportOptions } from './otlp-export.ts'
import type { OtlpSettings } from './otlp-settings.ts'
import type { Tracing } from './tracing.ts'

/** Opens the export. Its libraries are loaded only if it is configured. */
export async function openTracing(
  settings: OtlpSettings | undefined,
  options: OtlpExportOptions,
): Promise<Tracing | undefined> {
  if (!settings) return undefined
  const { openOtlpExport } = await import('./otlp-export.ts')
  return openOtlpExport(settings, options)
}

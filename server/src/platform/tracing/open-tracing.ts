import type { FastifyBaseLogger } from 'fastify'
import type { OtlpSettings } from '../configuration-exports.ts'
import type { Tracing } from './tracing.ts'

/** Opens the export. Its libraries are loaded only if it is configured. */
export async function openTracing(
  settings: OtlpSettings | undefined,
  logger: Pick<FastifyBaseLogger, 'warn'>,
): Promise<Tracing | undefined> {
  if (!settings) return undefined
  const { openOtlpExport } = await import('./otlp-export.ts')
  return openOtlpExport(settings, logger)
}

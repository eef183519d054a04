import { ensureBundle } from '../../tools/service-bundle.ts'

/** Builds the bundle of the service before the tests if its sources have changed. */
export async function setup(): Promise<void> {
  await ensureBundle()
}

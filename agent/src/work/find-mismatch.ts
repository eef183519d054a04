import type { Computer } from '../platform/reports.ts'

/** Why a package does not support this system, or undefined. A package that names no system supports all. */
export async function findMismatch(
  computer: Computer,
  operatingSystems: readonly string[],
): Promise<string | undefined> {
  const own = new Set((await computer.systemNames()).map((name) => name.toLowerCase()))
  if (operatingSystems.length === 0 || operatingSystems.some((name) => own.has(name.toLowerCase()))) return undefined
  return `The package is for ${operatingSystems.join(', ')}; this computer runs ${await computer.systemTitle()}.`
}

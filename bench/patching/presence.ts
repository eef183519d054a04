import type { Random } from '../../server/test/faults/fuzz/random.ts'
import type { ComputerKind } from './simulated-computer.ts'

const awayShare = 0.3

/** The days on which a computer is away. */
export function chooseAbsence(random: Random, days: number): ReadonlySet<number> {
  return new Set(Array.from({ length: days }, (_, day) => day).filter(() => random.chance(awayShare)))
}

const officeHours = { from: 8, until: 18 }

/** Desktops are on all day, laptops during office hours, unless they are away. */
export function isPresent(
  { kind, absence }: { kind: ComputerKind; absence: ReadonlySet<number> },
  { day, hour }: { day: number; hour: number },
): boolean {
  if (absence.has(day)) return false
  return kind === 'Desktop' || (hour >= officeHours.from && hour < officeHours.until)
}

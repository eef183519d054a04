import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'
import { type StatusKind, statusColours } from './status-kinds.ts'

/** A state in a word. The colour only repeats what the word says. */
export function StatusBadge({ kind, children }: { kind: StatusKind; children: ReactNode }) {
  return <Badge color={statusColours[kind]}>{children}</Badge>
}

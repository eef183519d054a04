import { sql } from 'kysely'

/**
 * Whether the hand-out of new work is stopped. Every statement that hands out work contains this condition so that a
 * freeze takes effect at the next contact on every node. Nothing may cache it.
 */
export const isFrozen = sql<boolean>`(select frozen_at is not null from installation)`

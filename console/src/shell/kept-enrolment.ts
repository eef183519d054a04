import { useSessionStorage } from '@mantine/hooks'
import { useEffect } from 'react'
import { useSession } from './session-context.ts'

/** The commands of an enrolment token, which the service shows once. */
export type EnrolmentToKeep = {
  expiresAtUtc: string
  enrol: string
  /** Null if enrolling also starts the agent. */
  run: string | null
  /** The agent must be installed on the computer before: the service has no package of it. */
  needsAgent: boolean
}

type KeptEnrolment = EnrolmentToKeep & { principalId: number }

const storageKey = 'muster.enrolment'

/**
 * Keeps commands in this tab so that a reload and other pages do not lose them: for the person who created them, and until they
 * expire.
 */
export function useKeptEnrolment() {
  const { principal } = useSession()
  const [stored, store, discard] = useSessionStorage<KeptEnrolment | null>({
    key: storageKey,
    defaultValue: null,
    getInitialValueInEffect: false,
  })
  const isUsable = stored?.principalId === principal.id && Date.parse(stored.expiresAtUtc) > Date.now()
  useEffect(() => {
    if (stored && !isUsable) discard()
  }, [stored, isUsable, discard])
  return {
    kept: isUsable ? stored : undefined,
    keep: (enrolment: EnrolmentToKeep) => store({ ...enrolment, principalId: principal.id }),
  }
}

/** The next person at this browser must not find a token. */
export function discardEnrolment(): void {
  sessionStorage.removeItem(storageKey)
}

import { usePatchPolicyTexts } from '../../texts/patch-policy-texts.ts'
import { useRolloutTexts } from '../../texts/rollout-texts.ts'
import { describeWindow } from '../rollout/windows.ts'
import type { PatchRestart } from './policies.ts'

/** The windows of a restart and what people at the computers get, in words. */
export function useRestartWords(): (restart: PatchRestart) => { windows: string[]; zone: string; people: string } {
  const { restart: texts } = usePatchPolicyTexts()
  const { rollout } = useRolloutTexts()
  return ({ windows, timeZone, timeoutMinutes, userDeadline }) => ({
    windows: windows.map((window) => describeWindow(window, rollout)),
    zone: timeZone === null ? texts.ownZone : texts.inZone(timeZone),
    people: userDeadline ? texts.withDeadline : timeoutMinutes > 0 ? texts.withMinutes(timeoutMinutes) : texts.atOnce,
  })
}

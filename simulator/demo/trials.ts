import { type Api, until } from './api.ts'

type Trial = { trialId: string; state: string; blockers: readonly unknown[] }

/**
 * Tries the package on the first of the computers that can, and waits for the result. `wake` lets the computer make contact. Another
 * trial waits for a computer that is away.
 */
export async function tryPackage(
  api: Api,
  packageId: string,
  { computerIds, awayIds, wake }: { computerIds: readonly number[]; awayIds: readonly number[]; wake: () => void },
): Promise<void> {
  const { trialId } = await startOnFirst(api, packageId, computerIds, ({ blockers }) => blockers.length === 0)
  wake()
  await until(async () => {
    const { state } = await api.get<Trial>(`/api/package-trials/${trialId}`)
    return state === 'Succeeded' || state === 'Failed' || undefined
  }, 'the end of the trial of a package')
  await startOnFirst(api, packageId, awayIds, () => true)
}

/** Computers to which the package is assigned are refused, and others may be suspended. */
async function startOnFirst(
  api: Api,
  packageId: string,
  computerIds: readonly number[],
  isSuitable: (trial: Trial) => boolean,
): Promise<Trial> {
  let refusal: unknown = new Error('There is no computer to try the package on.')
  for (const computerId of computerIds)
    try {
      const trial = await api.post<Trial>(`/api/packages/${packageId}/trials`, { computerId })
      if (isSuitable(trial)) return trial
      await api.post(`/api/package-trials/${trial.trialId}/cancel`)
    } catch (error) {
      refusal = error
    }
  throw refusal
}

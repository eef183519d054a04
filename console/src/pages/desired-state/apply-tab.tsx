import { Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { UnsavedChanges } from '../../components/unsaved-changes.tsx'
import { ApplySection } from './apply-section.tsx'
import { PlanSection } from './plan-section.tsx'
import { StateFilesSection } from './state-files-section.tsx'
import { StateProblem } from './state-problem.tsx'
import { makePlan } from './state-requests.ts'
import { useApply } from './use-apply.ts'
import type { StateFiles } from './use-state-files.ts'

/** From the files to the plan, and from the plan to the result. */
export function ApplyTab({ files }: { files: StateFiles }) {
  const { read, prune } = files
  const apply = useApply()
  const planning = useMutation({
    mutationFn: () => {
      if (!read) throw new Error('Nothing to plan')
      return makePlan(read, prune)
    },
    onMutate: apply.reset,
  })
  // A plan of other files is not shown: what is applied is what the files say.
  const planned =
    planning.data && planning.data.read === read && planning.data.prune === prune ? planning.data : undefined
  const isRunning = apply.state.phase === 'running'
  return (
    <Stack gap="md">
      <StateFilesSection
        files={files}
        isPlanning={planning.isPending}
        isLocked={isRunning}
        onPlan={() => planning.mutate()}
      />
      {planning.error && read && (
        <StateProblem error={planning.error} places={read.places} onPlan={() => planning.mutate()} />
      )}
      {planned && (
        <>
          <PlanSection planned={planned} />
          {planned.plan.changes.length > 0 && (
            <ApplySection planned={planned} apply={apply} onPlan={() => planning.mutate()} />
          )}
        </>
      )}
      <UnsavedChanges exist={isRunning} />
    </Stack>
  )
}

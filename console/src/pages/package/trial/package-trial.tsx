import { Button, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../../api/client.ts'
import { isTrialOpen, newestTrialQuery, type PackageTrial as Trial, trialQuery } from '../../../api/package-trials.ts'
import type { Package } from '../../../api/packages.ts'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { ProblemAlert } from '../../../components/problem-view.tsx'
import { Section } from '../../../components/section.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { useFilters } from '../../../components/use-filters.ts'
import { useHasRole } from '../../../shell/session-context.ts'
import { usePackageTrialTexts } from '../../../texts/package-trial-texts.ts'
import { TrialPanel } from './trial-panel.tsx'
import { TrialResult } from './trial-result.tsx'

const stateKinds = {
  Waiting: 'neutral',
  Running: 'running',
  Succeeded: 'good',
  Failed: 'bad',
  Cancelled: 'warning',
} as const

/** The newest trial of the package, and the way to another one. `?try=1` in the address opens its form. */
export function PackageTrial({ found }: { found: Package }) {
  const texts = usePackageTrialTexts()
  const mayTry = useHasRole('activation.execute')
  const { values, set } = useFilters(['try'])
  const { data: trial, error } = useQuery(newestTrialQuery(found.id))
  const isReady = found.operational && found.hashState === 'Current'
  const isOpen = trial != null && isTrialOpen(trial)
  return (
    <Section
      id="trial"
      title={texts.title}
      actions={
        <>
          {trial && <StatusBadge kind={stateKinds[trial.state]}>{texts.states[trial.state]}</StatusBadge>}
          {mayTry && trial && isOpen && <CancelButton trial={trial} />}
          {mayTry && !isOpen && (
            <Button size="compact-sm" variant="default" disabled={!isReady} onClick={() => set({ try: '1' })}>
              {texts.start}
            </Button>
          )}
        </>
      }
    >
      <Stack gap="sm">
        {!trial && (
          <Text size="sm" c="dimmed">
            {isReady ? texts.intro : texts.releaseFirst}
          </Text>
        )}
        {trial === undefined && <ProblemAlert error={error} />}
        {trial && <TrialResult trial={trial} />}
        {trial && found.lastTrial && found.lastTrial.trialId !== trial.trialId && <LastResult found={found} />}
      </Stack>
      {mayTry && isReady && <TrialPanel isOpen={values.try !== ''} onClose={() => set({ try: '' })} found={found} />}
    </Section>
  )
}

/** A trial that waits or was cancelled does not hide how the one before ended. */
function LastResult({ found: { id, lastTrial } }: { found: Package }) {
  const texts = usePackageTrialTexts()
  const { data: trial } = useQuery(trialQuery(id, lastTrial?.trialId ?? ''))
  if (!trial) return null
  return (
    <Stack gap="sm">
      <Text size="sm" fw={600}>
        {texts.lastResult(texts.states[trial.state])}
      </Text>
      <TrialResult trial={trial} />
    </Stack>
  )
}

function CancelButton({ trial: { trialId, packageId } }: { trial: Trial }) {
  const texts = usePackageTrialTexts()
  const queryClient = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const cancel = async () => {
    await answerOf(api.POST('/api/package-trials/{id}/cancel', { params: { path: { id: trialId } } }))
    await queryClient.invalidateQueries({ queryKey: ['package', packageId] })
    setAsking(false)
  }
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setAsking(true)}>
        {texts.cancel}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={texts.cancelTitle}
        text={texts.cancelText}
        confirmLabel={texts.cancel}
        cancelLabel={texts.keep}
        onConfirm={cancel}
        onClose={() => setAsking(false)}
      />
    </>
  )
}

import { Alert, Checkbox, Text } from '@mantine/core'
import { useState } from 'react'
import { DeploymentPlan } from '../../../actions/deployment-plan.tsx'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { api } from '../../../api/client.ts'
import { useSelectionTexts } from '../../../texts/selection-texts.ts'
import { useTexts } from '../../../texts/texts.tsx'
import type { ActionPanelProps } from './panel-props.ts'

/** The limit of one request. */
const maxComputers = 10_000

export function Deploy({ ids, isOpen, onClose }: ActionPanelProps) {
  const { computers: texts } = useTexts()
  const { deployHint, deploysSome } = useSelectionTexts()
  const [wolNow, setWolNow] = useState(false)
  const isComplete = ids.length <= maxComputers
  const body = { computerIds: [...ids], wolNow }
  return (
    <ReviewPanel
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: texts.actions.deployTitle,
        label: texts.actions.deploy,
        isComplete,
        requestKey: body,
        form: isComplete ? (
          <>
            <Text size="sm" c="dimmed">
              {deployHint}
            </Text>
            <Checkbox
              label={texts.actions.wakeNow}
              checked={wolNow}
              onChange={(event) => setWolNow(event.currentTarget.checked)}
            />
          </>
        ) : (
          <Alert color="orange">{texts.selection.tooMany(maxComputers)}</Alert>
        ),
        send: ({ query, headers }) =>
          api.POST('/api/fleet/computers/activation', { params: { query, header: headers }, body }),
        confirms: ({ answer: { computersWithWork } }) => computersWithWork,
        describe: ({ answer: { computersWithWork, computerCount } }) =>
          computersWithWork > 0 ? deploysSome(computersWithWork, computerCount) : texts.actions.deploysNothing,
        details: ({ answer: { plan } }) => <DeploymentPlan plan={plan} />,
        done: ({ trackingId }) =>
          trackingId
            ? { text: texts.actions.deployStarted, to: `/tasks/${trackingId}` }
            : { text: texts.actions.nothingToDo },
        refreshes: [['computers'], ['tasks'], ['overview']],
      }}
    />
  )
}

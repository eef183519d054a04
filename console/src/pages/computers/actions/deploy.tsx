import { Alert, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { DeploymentPlan } from '../../../actions/deployment-plan.tsx'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { api } from '../../../api/client.ts'
import { useTexts } from '../../../texts/texts.tsx'
import type { ActionPanelProps } from './panel-props.ts'

/** The limit of one request. */
const maxComputers = 10_000

export function Deploy({ ids, isOpen, onClose }: ActionPanelProps) {
  const { computers: texts } = useTexts()
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
          <Checkbox
            label={texts.actions.wakeNow}
            checked={wolNow}
            onChange={(event) => setWolNow(event.currentTarget.checked)}
          />
        ) : (
          <Alert color="orange">{texts.selection.tooMany(maxComputers)}</Alert>
        ),
        send: ({ query, headers }) =>
          api.POST('/api/fleet/computers/activation', { params: { query, header: headers }, body }),
        describe: ({ answer: { computersWithWork, packageCount } }) =>
          computersWithWork > 0 ? texts.actions.deploys(computersWithWork, packageCount) : texts.actions.deploysNothing,
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

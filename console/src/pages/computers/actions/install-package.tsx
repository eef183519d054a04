import { Alert, Text } from '@mantine/core'
import { useState } from 'react'
import { DeploymentPlan } from '../../../actions/deployment-plan.tsx'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { api, type Schemas } from '../../../api/client.ts'
import { NamedList } from '../../../components/named-list.tsx'
import { PackagePicker, type PickedPackage } from '../../../components/package-picker.tsx'
import { useSelectionTexts } from '../../../texts/selection-texts.ts'
import { useTexts } from '../../../texts/texts.tsx'
import type { ActionPanelProps } from './panel-props.ts'

type Installation = Schemas['SelectionInstallation']

/** The limit of one request. */
const maxComputers = 10_000

/** As many leave a group with one request. */
const maxUndone = 500

/** Installs a package on the selected computers. Those that lack an assignment join the group of the package. */
export function InstallPackage({ ids, isOpen, onClose }: ActionPanelProps) {
  const { computers: texts } = useTexts()
  const { install } = useSelectionTexts()
  const [picked, setPicked] = useState<PickedPackage>()
  const isTooMany = ids.length > maxComputers
  const body = { computerIds: [...ids], packageId: picked?.id ?? '' }
  const name = picked?.name ?? ''
  const undo = useTakeBack()
  return (
    <ReviewPanel<Installation>
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: install.title,
        label: install.confirm,
        isComplete: picked !== undefined && !isTooMany,
        requestKey: body,
        form: isTooMany ? (
          <Alert color="orange">{texts.selection.tooMany(maxComputers)}</Alert>
        ) : (
          <PackagePicker value={picked} onChange={setPicked} />
        ),
        send: ({ query, headers }) =>
          api.POST('/api/fleet/computers/software-install', { params: { query, header: headers }, body }),
        describe: ({ computers = 0 }) => (computers > 0 ? install.describe(name, computers) : install.nothing(name)),
        details: ({ answer }) => <InstallDetails answer={answer} />,
        done: (answer) => ({
          text: answer.trackingId ? install.done(name) : texts.actions.nothingToDo,
          ...(answer.trackingId && { to: `/tasks/${answer.trackingId}` }),
          ...undo(answer),
        }),
        refreshes: [['computers'], ['groups'], ['group'], ['tasks'], ['overview'], ['package', body.packageId]],
      }}
    />
  )
}

function InstallDetails({ answer }: { answer: Installation }) {
  const { install } = useSelectionTexts()
  const { groups, alreadyInstalled, notApplicable, toUninstall, plan } = answer
  return (
    <>
      <NamedList
        items={groups.map(({ groupId, groupPath, selected, isJoined }) => ({
          id: groupId,
          text: isJoined ? install.joins(groupPath, selected) : install.through(groupPath, selected),
        }))}
      />
      {/* The package itself is in the description; what it brings with it is not. */}
      {plan && plan.packages.length > 1 && <DeploymentPlan plan={plan} />}
      {alreadyInstalled > 0 && <Text c="dimmed">{install.alreadyInstalled(alreadyInstalled)}</Text>}
      {notApplicable > 0 && <Text c="dimmed">{install.notApplicable(notApplicable)}</Text>}
      {toUninstall > 0 && <Text c="dimmed">{install.toUninstall(toUninstall)}</Text>}
    </>
  )
}

/** Computers that have joined the group of the package leave it again. */
function useTakeBack() {
  const { install } = useSelectionTexts()
  const { actions } = useTexts()
  return ({ groups, joinedComputerIds: computerIds }: Installation) => {
    const joined = groups.find(({ isJoined }) => isJoined)
    if (!joined || computerIds.length === 0 || computerIds.length > maxUndone) return {}
    const params = { path: { id: joined.groupId }, query: { computerIds } }
    return {
      undo: {
        label: actions.undo,
        run: () => api.DELETE('/api/group/{id}/computers', { params }),
        done: install.undone(computerIds.length),
      },
    }
  }
}

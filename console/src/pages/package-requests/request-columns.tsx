import { Anchor, Badge, Button, Group, Text } from '@mantine/core'
import { Link } from 'react-router'
import { approvingRoles, type PackageRequest } from '../../api/package-requests.ts'
import type { Column } from '../../components/data-table.tsx'
import { Moment } from '../../components/moment.tsx'
import { useSession } from '../../shell/session-context.ts'
import { usePackageRequestTexts } from '../../texts/package-request-texts.ts'

const colours = { Pending: 'orange', Approved: 'green', Declined: 'gray' } as const

type Actions = { onApprove: (request: PackageRequest) => void; onDecline: (request: PackageRequest) => void }

export function useRequestColumns(actions: Actions): Column<PackageRequest>[] {
  const { columns } = usePackageRequestTexts()
  return [
    {
      id: 'wish',
      title: columns.wish,
      cell: ({ wish, reason }) => (
        <>
          <Text size="sm" fw={600} className="breakable">
            {wish}
          </Text>
          <Text size="xs" c="dimmed" className="breakable">
            {reason}
          </Text>
        </>
      ),
    },
    {
      id: 'computer',
      title: columns.computer,
      width: 180,
      cell: ({ computerId, hostname }) => (
        <Anchor component={Link} to={`/computers/${computerId}`} size="sm" className="breakable">
          {hostname}
        </Anchor>
      ),
    },
    {
      id: 'user',
      title: columns.user,
      width: 190,
      cell: ({ userName, requestedAtUtc }) => (
        <>
          <span className="breakable">{userName}</span>
          <Text size="xs" c="dimmed">
            <Moment at={requestedAtUtc} />
          </Text>
        </>
      ),
    },
    { id: 'state', title: columns.state, width: 220, cell: (request) => <State {...request} /> },
    {
      id: 'actions',
      title: columns.actions,
      width: 210,
      cell: (request) => request.state === 'Pending' && <Decisions request={request} {...actions} />,
    },
  ]
}

function State({ state, packageId, packageName, packageVersion, decidedBy, answer }: PackageRequest) {
  const texts = usePackageRequestTexts()
  return (
    <>
      <Badge color={colours[state]}>{texts.states[state]}</Badge>
      {packageId && (
        <Anchor component={Link} to={`/packages/${packageId}`} size="sm" display="block" className="breakable">
          {[packageName, packageVersion].filter(Boolean).join(' ')}
        </Anchor>
      )}
      <Text size="xs" c="dimmed" className="breakable">
        {[decidedBy, answer].filter(Boolean).join(': ')}
      </Text>
    </>
  )
}

function Decisions({ request, onApprove, onDecline }: Actions & { request: PackageRequest }) {
  const texts = usePackageRequestTexts()
  const { principal } = useSession()
  const mayApprove = approvingRoles.every((role) => principal.roles.includes(role))
  const mayDecline = principal.roles.includes('activation.execute')
  const subject = `${request.wish}, ${request.hostname}`
  return (
    <Group gap="xs">
      {mayApprove && (
        <Button size="compact-sm" aria-label={`${texts.approve}: ${subject}`} onClick={() => onApprove(request)}>
          {texts.approve}
        </Button>
      )}
      {mayDecline && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`${texts.decline}: ${subject}`}
          onClick={() => onDecline(request)}
        >
          {texts.decline}
        </Button>
      )}
    </Group>
  )
}

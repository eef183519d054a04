import {
  IconBandage,
  IconListCheck,
  IconPackage,
  IconServer,
  IconShieldCheck,
  IconTable,
} from '../../components/icons.ts'
import { useDesiredStateTexts } from '../../texts/desired-state-texts.ts'
import { useInfrastructureTexts } from '../../texts/infrastructure-texts.ts'
import { usePackageLineTexts } from '../../texts/package-line-texts.ts'
import { usePatchPolicyTexts } from '../../texts/patch-policy-texts.ts'
import { usePatchTexts } from '../../texts/patch-texts.ts'
import { useReportTexts } from '../../texts/report-texts.ts'
import { useTagTexts } from '../../texts/tag-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { useVariableTexts } from '../../texts/variable-texts.ts'
import { useSession } from '../session-context.ts'
import type { PaletteItem } from './palette-item.ts'

/** Pages and tabs that the navigation does not list. */
export function usePageParts(): PaletteItem[] {
  const { infrastructure } = useTexts()
  const { tabs } = useInfrastructureTexts()
  const tags = useTagTexts()
  const lines = usePackageLineTexts()
  const policies = usePatchPolicyTexts()
  const variables = useVariableTexts()
  const patches = usePatchTexts()
  const reports = useReportTexts()
  const state = useDesiredStateTexts()
  const { roles } = useSession().principal
  const parts = [
    { to: '/package-lines', label: lines.title, role: 'package.read', icon: IconPackage },
    { to: '/patches/policies', label: policies.title, role: 'pm.read', icon: IconShieldCheck },
    { to: '/infrastructure/depots', label: tabs.depots, role: 'computer.read' },
    { to: '/infrastructure/images', label: tabs.images, role: 'package.read' },
    { to: '/infrastructure/jobs', label: tabs.jobs, role: 'computer.read' },
    { to: '/infrastructure/tags', label: tags.tab, role: 'package.read' },
    { to: '/infrastructure/fields', label: tags.fields.tab, role: 'computer.read' },
    { to: '/infrastructure/variables', label: variables.tab, role: 'package.read' },
    { to: '/patches/compliance', label: patches.compliance.title, role: 'pm.read', icon: IconBandage },
    { to: '/patches/groups', label: patches.groupsTitle, role: 'pm.read', icon: IconBandage },
    { to: '/reports/licences', label: reports.tabs.licences, role: 'computer.read', icon: IconTable },
    { to: '/reports/mail-server', label: reports.tabs.mail, role: 'admin.manage', icon: IconTable },
    { to: '/admin/desired-state/current', label: state.tabs.current, role: 'package.read', icon: IconListCheck },
  ]
  return parts
    .filter(({ role }) => roles.includes(role))
    .map(
      ({ to, label, icon }): PaletteItem => ({
        ...{ id: `page ${to}`, group: 'pages', label, to, icon: icon ?? IconServer },
        ...(!icon && { hint: infrastructure.title }),
      }),
    )
}

import { api, type Schemas, versionOf } from '../../api/client.ts'

export type Report = Schemas['Report']
export type ReportRun = Schemas['ReportRun']
export type ReportSchedule = Schemas['ReportSchedule']
export type Licence = Schemas['Licence']

export const reportsKey = ['reports'] as const
export const licencesKey = ['licences'] as const
export const mailServerKey = ['mail-server'] as const

export const reportQuery = (id: string) => ({
  queryKey: [...reportsKey, id],
  queryFn: () => versionOf(api.GET('/api/reports/{id}', { params: { path: { id } } })),
})

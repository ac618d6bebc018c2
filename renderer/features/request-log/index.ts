export { RequestLogPanel } from './request-log-panel.tsx';

import type { OutputField } from '../../../domain/workflow.ts';
import type { Random } from '../../nodes/random.ts';
import {
  between,
  companyName,
  dateIn,
  digits,
  identifier,
  type Language,
  moneyOf,
  type Notation,
  type Printed,
  personName,
  phrase,
  sumBetween,
} from './values.ts';

/**
 * Something that documents state: what its field is called, and how pages word it; the first wording of a
 * language is the usual one.
 */
export type Concept = Readonly<{
  name: string;
  type: OutputField['type'];
  wordings: Readonly<Record<Language, readonly string[]>>;
  make: (random: Random, notation: Notation) => Printed;
}>;

const text = (value: string): Printed => ({ text: value, value });
const named = (random: Random): Printed => text(companyName(random));
const person = (random: Random): Printed => text(personName(random));
const number = (random: Random): Printed => text(identifier(random));
const some = (random: Random): Printed => text(phrase(random));
const date = (random: Random, notation: Notation): Printed => dateIn(random, notation);
const sum = (random: Random, notation: Notation): Printed => moneyOf(notation, sumBetween(random, 3, 4_000));
const count = (random: Random): Printed => {
  const value = between(random, 1, 40);
  return { text: String(value), value };
};
const iban = (random: Random): Printed =>
  text(
    `GB${digits(random, 2)} NWBK ${digits(random, 4)} ${digits(random, 4)} ${digits(random, 4)} ${digits(random, 2)}`,
  );

const concept = (
  name: string,
  type: OutputField['type'],
  make: Concept['make'],
  en: string,
  de: string,
  fr: string,
): Concept => ({
  name,
  type,
  make,
  wordings: { en: en.split('|'), de: de.split('|'), fr: fr.split('|') },
});

const all = [
  concept(
    'company',
    'string',
    named,
    'Company|Company name|Merchant|Vendor|Supplier|Seller|Store|Sold by|Shop',
    'Firma|Lieferant|Verkäufer|Händler',
    'Société|Fournisseur|Vendeur|Magasin',
  ),
  concept(
    'date',
    'date',
    date,
    'Date|Dated|Date of issue|Issue date|Transaction date',
    'Datum|Ausstellungsdatum',
    "Date|Date d'émission",
  ),
  concept(
    'total',
    'number',
    sum,
    'Total|TOTAL|Grand total|Total amount|Total payable|Total due',
    'Gesamtbetrag|Summe|Gesamtsumme|Endbetrag',
    'Total TTC|Total|Montant total|Net à payer',
  ),
  concept(
    'invoiceNumber',
    'string',
    number,
    'Invoice number|Invoice No|Invoice No.|Inv. No.|Invoice #|Invoice ID|Bill No',
    'Rechnungsnummer|Rechnungsnr.|Rechnung Nr.',
    'Numéro de facture|Facture n°|N° de facture',
  ),
  concept(
    'invoiceDate',
    'date',
    date,
    'Invoice date|Date of invoice|Bill date',
    'Rechnungsdatum|Datum der Rechnung',
    'Date de facture|Date de la facture',
  ),
  concept(
    'dueDate',
    'date',
    date,
    'Due date|Payment due|Due on|Pay by',
    'Fällig am|Fälligkeitsdatum|Zahlbar bis',
    "Date d'échéance|Échéance|À payer avant le",
  ),
  concept(
    'purchaseOrder',
    'string',
    number,
    'Purchase order|PO number|P.O. No.|Purchase order no',
    'Bestellnummer|Bestellung Nr.',
    'Bon de commande|N° de commande',
  ),
  concept(
    'customer',
    'string',
    named,
    'Customer|Client|Customer name|Buyer',
    'Kunde|Auftraggeber',
    'Client|Acheteur',
  ),
  concept(
    'subtotal',
    'number',
    sum,
    'Subtotal|Sub-total|Sub total|Net amount',
    'Zwischensumme|Nettobetrag|Netto',
    'Sous-total|Total HT',
  ),
  concept('tax', 'number', sum, 'Tax|VAT|GST|Sales tax', 'MwSt.|USt.|Umsatzsteuer', 'TVA|Montant TVA'),
  concept(
    'amountDue',
    'number',
    sum,
    'Amount due|Balance due|Outstanding|Amount payable',
    'Zahlbetrag|Offener Betrag',
    'Reste à payer|Solde dû',
  ),
  concept('iban', 'string', iban, 'IBAN', 'IBAN', 'IBAN'),
  concept('bank', 'string', named, 'Bank|Bank name', 'Bank|Kreditinstitut', 'Banque'),
  concept(
    'accountNumber',
    'string',
    number,
    'Account number|Account no|A/C No|Account',
    'Kontonummer|Konto-Nr.',
    'Numéro de compte|Compte n°',
  ),
  concept(
    'openingBalance',
    'number',
    sum,
    'Opening balance|Balance brought forward|Previous balance',
    'Anfangssaldo|Alter Saldo',
    'Solde initial|Ancien solde',
  ),
  concept(
    'closingBalance',
    'number',
    sum,
    'Closing balance|New balance|Balance',
    'Endsaldo|Neuer Saldo',
    'Solde final|Nouveau solde',
  ),
  concept(
    'employee',
    'string',
    person,
    'Employee|Employee name|Name of employee|Claimant',
    'Mitarbeiter|Name des Mitarbeiters',
    'Employé|Nom du salarié',
  ),
  concept('department', 'string', some, 'Department|Dept.|Team', 'Abteilung', 'Service'),
  concept(
    'purpose',
    'string',
    some,
    'Purpose|Purpose of travel|Reason',
    'Zweck|Reisezweck',
    'Motif|Objet du déplacement',
  ),
  concept('project', 'string', some, 'Project|Project name', 'Projekt', 'Projet'),
  concept(
    'approvedBy',
    'string',
    person,
    'Approved by|Approver|Authorised by',
    'Genehmigt von',
    'Approuvé par',
  ),
  concept(
    'cashier',
    'string',
    person,
    'Cashier|Served by|Operator',
    'Kassierer|Bedient von',
    'Caissier|Servi par',
  ),
  concept(
    'deliveryNumber',
    'string',
    number,
    'Delivery note number|Delivery note no.|Delivery No',
    'Lieferscheinnummer|Lieferschein Nr.',
    'Bon de livraison n°|Numéro de livraison',
  ),
  concept(
    'orderNumber',
    'string',
    number,
    'Order number|Order No.|Order ID|Order #',
    'Auftragsnummer|Auftrag Nr.',
    'Numéro de commande|Commande n°',
  ),
  concept(
    'deliveryDate',
    'date',
    date,
    'Delivery date|Date of delivery|Delivered on',
    'Lieferdatum|Geliefert am',
    'Date de livraison|Livré le',
  ),
  concept(
    'carrier',
    'string',
    named,
    'Carrier|Shipped via|Haulier',
    'Spediteur|Frachtführer',
    'Transporteur',
  ),
  concept(
    'pieces',
    'integer',
    count,
    'Pieces|Number of pieces|Parcels',
    'Anzahl|Stückzahl',
    'Pièces|Nombre de colis',
  ),
  concept(
    'creditNumber',
    'string',
    number,
    'Credit note number|Credit note no|Credit No',
    'Gutschriftsnummer|Gutschrift Nr.',
    "Numéro d'avoir|Avoir n°",
  ),
  concept(
    'receiptNumber',
    'string',
    number,
    'Receipt number|Receipt No|Receipt #|Rcpt No',
    'Belegnummer|Bon-Nr.',
    'Ticket n°|Numéro de ticket',
  ),
  concept('tip', 'number', sum, 'Tip|Gratuity', 'Trinkgeld', 'Pourboire'),
  concept(
    'amountPaid',
    'number',
    sum,
    'Amount paid|Paid|Payment received',
    'Bezahlt|Gezahlter Betrag',
    'Montant payé|Payé',
  ),
  concept('guest', 'string', person, 'Guest|Guest name', 'Gast', 'Client'),
  concept(
    'nights',
    'integer',
    count,
    'Nights|No. of nights|Number of nights',
    'Nächte|Übernachtungen',
    'Nuits|Nombre de nuits',
  ),
  concept('checkIn', 'date', date, 'Check-in|Arrival|Arrival date', 'Anreise|Ankunft', 'Arrivée'),
  concept('checkOut', 'date', date, 'Check-out|Departure|Departure date', 'Abreise', 'Départ'),
  concept('premium', 'number', sum, 'Premium|Annual premium', 'Prämie|Jahresbeitrag', 'Prime|Cotisation'),
  concept(
    'policyNumber',
    'string',
    number,
    'Policy number|Policy No',
    'Policennummer|Versicherungsnummer',
    'Numéro de police|Police n°',
  ),
  concept('employer', 'string', named, 'Employer|Employer name', 'Arbeitgeber', 'Employeur'),
  concept(
    'netPay',
    'number',
    sum,
    'Net pay|Take-home pay|Net salary',
    'Nettolohn|Auszahlungsbetrag',
    'Net payé|Salaire net',
  ),
  concept(
    'vatNumber',
    'string',
    number,
    'VAT number|VAT No|VAT Reg No|VAT ID',
    'USt-IdNr.|Steuernummer',
    'N° TVA|Numéro de TVA',
  ),
  concept('hours', 'number', sum, 'Hours|Total hours|Hours worked', 'Stunden', 'Heures'),
  concept(
    'reference',
    'string',
    number,
    'Reference|Our reference|Ref.|Your reference',
    'Referenz|Unser Zeichen',
    'Référence|Notre référence',
  ),
];

const byName = new Map(all.map((one) => [one.name, one]));

const templateOf = (title: string, names: string) => ({
  title,
  concepts: names.split(' ').flatMap((name) => byName.get(name) ?? []),
});

/** Kinds of documents, with what each may be asked for. */
export const TEMPLATES = [
  templateOf('Receipt', 'company date total receiptNumber cashier tax tip'),
  templateOf('Invoice', 'company invoiceNumber invoiceDate dueDate purchaseOrder customer total'),
  templateOf('Tax invoice', 'company invoiceNumber date subtotal tax total vatNumber'),
  templateOf('Invoice', 'invoiceNumber invoiceDate total amountPaid amountDue iban bank'),
  templateOf('Statement', 'bank accountNumber date openingBalance closingBalance'),
  templateOf('Credit note', 'company creditNumber date total reference'),
  templateOf('Expense claim', 'employee department purpose project date total approvedBy'),
  templateOf('Delivery note', 'deliveryNumber orderNumber deliveryDate carrier pieces customer'),
  templateOf('Booking', 'guest checkIn checkOut nights total reference'),
  templateOf('Policy', 'policyNumber customer premium dueDate'),
  templateOf('Payslip', 'employer employee date netPay tax'),
  templateOf('Order confirmation', 'company orderNumber date total deliveryDate customer'),
  templateOf('Time sheet', 'employee project hours date approvedBy'),
] as const;

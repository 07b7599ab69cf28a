/** The languages in which papers are made. No font of the machines that make them has Chinese characters. */
export type Language = 'en' | 'us' | 'de' | 'fr' | 'ms' | 'es';

const CAPTIONS = {
  receipt: 'Receipt|Receipt|Quittung|Reçu|Resit|Recibo',
  invoice: 'Invoice|Invoice|Rechnung|Facture|Invois|Factura',
  creditNote: 'Credit note|Credit memo|Gutschrift|Avoir|Nota kredit|Nota de crédito',
  statement:
    'Statement of account|Account statement|Kontoauszug|Relevé de compte|Penyata akaun|Extracto de cuenta',
  form: 'Application form|Application form|Antragsformular|Formulaire de demande|Borang permohonan|Formulario de solicitud',
  card: 'Identity card|Identity card|Personalausweis|Carte d’identité|Kad pengenalan|Documento de identidad',
  invoiceNumber: 'Invoice no.|Invoice number|Rechnungsnummer|Facture n°|No. invois|Factura n.º',
  creditNumber:
    'Credit note no.|Credit memo number|Gutschriftsnummer|Avoir n°|No. nota kredit|Nota de crédito n.º',
  toInvoice: 'Invoice no.|Original invoice|Zu Rechnung Nr.|Facture n°|No. invois|Factura n.º',
  date: 'Date|Date|Datum|Date|Tarikh|Fecha',
  invoiceDate: 'Invoice date|Invoice date|Rechnungsdatum|Date de facture|Tarikh invois|Fecha de factura',
  due: 'Due date|Payment due|Fällig am|Échéance|Tarikh akhir bayaran|Vencimiento',
  delivery: 'Delivery date|Ship date|Lieferdatum|Date de livraison|Tarikh penghantaran|Fecha de entrega',
  order: 'Order no.|PO number|Bestellnummer|Commande n°|No. pesanan|Pedido n.º',
  billTo: 'Bill to|Bill to|Rechnung an|Facturé à|Kepada|Facturar a',
  from: 'From|From|Von|De|Daripada|De',
  item: 'Description|Description|Bezeichnung|Désignation|Keterangan|Descripción',
  quantity: 'Qty|Qty|Menge|Qté|Kuantiti|Cant.',
  price: 'Unit price|Rate|Einzelpreis|Prix unitaire|Harga seunit|Precio',
  amount: 'Amount|Amount|Betrag|Montant|Amaun|Importe',
  net: 'Subtotal|Subtotal|Nettobetrag|Total HT|Jumlah kecil|Base imponible',
  tax: 'VAT|Sales tax|MwSt.|TVA|SST|IVA',
  total: 'Total|Total|Gesamtbetrag|Total TTC|Jumlah|Total',
  rounding: 'Rounding|Rounding|Rundung|Arrondi|Pelarasan|Redondeo',
  paid: 'Amount paid|Paid|Bereits bezahlt|Déjà payé|Telah dibayar|Pagado',
  rest: 'Amount due|Balance due|Offener Betrag|Reste à payer|Baki perlu dibayar|Importe pendiente',
  carried: 'Carried forward|Carried forward|Übertrag|À reporter|Dibawa ke hadapan|Suma y sigue',
  page: 'Page|Page|Seite|Page|Halaman|Página',
  of: 'of|of|von|sur|daripada|de',
  account: 'Account number|Account number|Kontonummer|Numéro de compte|No. akaun|Número de cuenta',
  holder: 'Account holder|Account holder|Kontoinhaber|Titulaire du compte|Pemegang akaun|Titular',
  period: 'Period|Statement period|Zeitraum|Période|Tempoh|Período',
  opening: 'Opening balance|Opening balance|Alter Saldo|Ancien solde|Baki awal|Saldo anterior',
  closing: 'Closing balance|Closing balance|Neuer Saldo|Nouveau solde|Baki akhir|Saldo final',
  statementDate:
    'Statement date|Statement date|Auszugsdatum|Date du relevé|Tarikh penyata|Fecha del extracto',
  name: 'Full name|Full name|Vollständiger Name|Nom complet|Nama penuh|Nombre completo',
  surname: 'Surname|Surname|Name|Nom|Nama keluarga|Apellidos',
  givenNames: 'Given names|Given names|Vornamen|Prénoms|Nama|Nombre',
  birth: 'Date of birth|Date of birth|Geburtsdatum|Date de naissance|Tarikh lahir|Fecha de nacimiento',
  nationality: 'Nationality|Nationality|Staatsangehörigkeit|Nationalité|Warganegara|Nacionalidad',
  sex: 'Sex|Sex|Geschlecht|Sexe|Jantina|Sexo',
  expiry: 'Date of expiry|Expiry date|Gültig bis|Date d’expiration|Tarikh luput|Fecha de caducidad',
  documentNumber: 'Document no.|Document number|Ausweisnummer|Document n°|No. dokumen|Número de documento',
  phone: 'Phone|Phone|Telefon|Téléphone|Telefon|Teléfono',
  email: 'Email|Email|E-Mail|E-mail|E-mel|Correo electrónico',
  address: 'Address|Address|Anschrift|Adresse|Alamat|Dirección',
  employer: 'Employer|Employer|Arbeitgeber|Employeur|Majikan|Empleador',
  signed: 'Date signed|Date signed|Unterschrieben am|Signé le|Tarikh ditandatangani|Firmado el',
  reference: 'Our reference|Our reference|Unser Zeichen|Notre référence|Rujukan kami|Nuestra referencia',
  subject: 'Subject|Subject|Betreff|Objet|Perkara|Asunto',
  greeting:
    'Dear customer,|Dear customer,|Sehr geehrte Damen und Herren,|Madame, Monsieur,|Tuan/Puan,|Estimado cliente:',
  thanks:
    'Thank you for your business|Thank you for your business|Vielen Dank für Ihren Auftrag|Merci de votre confiance|Terima kasih|Gracias por su confianza',
} as const;

export type Term = keyof typeof CAPTIONS;

const ORDER: readonly Language[] = ['en', 'us', 'de', 'fr', 'ms', 'es'];

/** What a language calls something. */
export const say = (language: Language, term: Term): string =>
  CAPTIONS[term].split('|')[ORDER.indexOf(language)] ?? '';

export const languages = ORDER;

const MONTHS: Readonly<Record<Language, string>> = {
  en: 'January February March April May June July August September October November December',
  us: 'January February March April May June July August September October November December',
  de: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
  fr: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  ms: 'Januari Februari Mac April Mei Jun Julai Ogos September Oktober November Disember',
  es: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
};

/** A day (ISO 8601) as a language writes it, in figures or with the month's name. */
export const dateText = (language: Language, iso: string, isLong: boolean): string => {
  const [year = '', month = '', day = ''] = iso.split('-');
  const name = MONTHS[language].split(' ')[Number(month) - 1] ?? '';
  switch (language) {
    case 'us':
      return isLong ? `${name} ${Number(day)}, ${year}` : `${month}/${day}/${year}`;
    case 'de':
      return isLong ? `${Number(day)}. ${name} ${year}` : `${day}.${month}.${year}`;
    case 'es':
      return isLong ? `${Number(day)} de ${name} de ${year}` : `${day}/${month}/${year}`;
    default:
      return isLong ? `${Number(day)} ${name} ${year}` : `${day}/${month}/${year}`;
  }
};

export const currencyOf: Readonly<Record<Language, string>> = {
  ...{ en: 'GBP', us: 'USD', de: 'EUR', fr: 'EUR', ms: 'MYR', es: 'EUR' },
};

/** Hundredths as a language writes them. */
export const amountText = (language: Language, cents: number): string => {
  const [whole = '', decimals = ''] = (Math.abs(cents) / 100).toFixed(2).split('.');
  const [group, mark] = { en: ',.', us: ',.', ms: ',.', de: '.,', es: '.,', fr: ' ,' }[language];
  return `${cents < 0 ? '-' : ''}${whole.replace(/\B(?=(\d{3})+$)/g, group ?? '')}${mark}${decimals}`;
};

/** With its currency. */
export const moneyText = (language: Language, cents: number): string => {
  const text = amountText(language, cents);
  if (currencyOf[language] === 'EUR') return `${text} €`;
  const mark = { en: '£', us: '$', ms: 'RM ' }[language as 'en' | 'us' | 'ms'];
  return cents < 0 ? `-${mark}${text.slice(1)}` : `${mark}${text}`;
};

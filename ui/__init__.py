"""What the pages share. Only this package and the pages import Streamlit."""
